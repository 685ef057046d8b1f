/** What words are expanded in. */
export interface Environment {
  readonly home: string;
  readonly separators: string;
  directory(which: '+' | '-'): string;
  /** The value of a variable or special parameter; undefined if it is known to be unset. */
  parameter(name: string): string | undefined;
  /** The elements of an array, or of `@`; undefined if there is no such array. */
  list(name: string): readonly string[] | undefined;
  assign(name: string, value: string): void;
  /** What the script prints, without its last newlines. */
  substitute(script: string): string;
  /** A name for a file that `<(script)` reads from or `>(script)` writes to. */
  connect(script: string, direction: string): string;
  /** Whether this value is an unknown one that may be unset. */
  mayBeUnset(value: string): boolean;
  /** The script ends here if this value is empty. */
  require(value: string): void;
  /** What a pattern leaves of this value: that it is not empty does not tell that this is not. */
  unproven(value: string): string;
  /** A value that is not known but not empty. */
  something(): string;
}
