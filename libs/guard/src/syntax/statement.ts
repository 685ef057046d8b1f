/** Where in the command a statement stands, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface HereDocument {
  readonly body: string;
  /** A quoted delimiter: nothing in the body is expanded. */
  readonly quoted: boolean;
}

/** A command with its words and redirections as text; `text` leaves the bodies of here-documents out. */
export interface Simple {
  readonly type: 'simple';
  readonly text: string;
  readonly span: Span;
  readonly hereDocuments: readonly HereDocument[];
}

export interface Branch {
  readonly condition: readonly Statement[];
  readonly body: readonly Statement[];
}

export type Statement =
  | Simple
  | { readonly type: 'test'; readonly text: string; readonly span: Span }
  | { readonly type: 'pipeline'; readonly parts: readonly Statement[] }
  | { readonly type: 'and-or'; readonly parts: readonly Statement[]; readonly operators: readonly string[] }
  | { readonly type: 'background'; readonly body: Statement }
  | { readonly type: 'negated'; readonly body: Statement }
  | { readonly type: 'block'; readonly body: readonly Statement[]; readonly subshell: boolean }
  | { readonly type: 'if'; readonly branches: readonly Branch[] }
  | { readonly type: 'while'; readonly condition: string; readonly until: boolean; readonly branch: Branch }
  | { readonly type: 'for'; readonly variable: string; readonly words: string | undefined; readonly body: readonly Statement[] }
  | { readonly type: 'endless-for'; readonly body: readonly Statement[] }
  | { readonly type: 'case'; readonly subject: string; readonly branches: readonly Branch[] }
  | { readonly type: 'function'; readonly name: string; readonly body: Statement }
  | { readonly type: 'redirected'; readonly body: Statement; readonly redirections: Simple };
