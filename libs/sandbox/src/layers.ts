import type { PolicyDocument } from './policy-document.js';

/** The files that make up a policy. */
export interface Layers {
  readonly base: PolicyDocument;
  /** The base comes with Ollie, so it follows what kind of system this is. */
  readonly builtIn: boolean;
  /** Only narrows. */
  readonly named: PolicyDocument | undefined;
  /** Only narrows, unless somebody has said that this very content may widen. */
  readonly project: { readonly document: PolicyDocument; readonly trusted: boolean } | undefined;
}
