/** A configuration that cannot be used. The message names the place (`file:line`) and the reason. */
export class ConfigError extends Error {
  readonly posix = 'EINVAL';

  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}
