export { type GrantClass, type PathGrant, type PathVariables, type SandboxPolicy } from './policy.js';
export { loadPolicy, parsePolicy } from './load-policy.js';
export { RunOrderError, SandboxConfigError, SandboxHelperError } from './errors.js';
export { toolEnvironment } from './tool-environment.js';
export { encodeRunOrder, type RunOrder } from './run-order.js';
export { parseHelperReport, type HelperReport } from './parse-helper-report.js';
export { findHelper } from './helper.js';
export { probe, type ProbeReport } from './probe.js';
