// Signatures to build. Each concept goes to its own file; this file becomes hand-written re-exports.
export {};
