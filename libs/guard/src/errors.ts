/** The longest command that is looked at. In UTF-16 units. */
export const MAX_COMMAND = 1024 * 1024;

/** Judging a command would cost more than it may; `limit` is the rule that the verdict carries. */
export class TooCostly extends Error {
  constructor(readonly limit: 'too-large' | 'too-complex') {
    super(limit);
    this.name = 'TooCostly';
  }
}
