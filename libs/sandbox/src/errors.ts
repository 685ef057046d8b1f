import { ConfigError } from '#config';

/** A policy that cannot be used. The message names file and key. */
export class SandboxConfigError extends ConfigError {
  constructor(message: string) {
    super(message);
    this.name = 'SandboxConfigError';
  }
}

/** An order that no helper could run: a NUL byte, a relative working directory, no program. */
export class RunOrderError extends Error {
  readonly posix = 'EINVAL';

  constructor(message: string) {
    super(message);
    this.name = 'RunOrderError';
  }
}

/** The helper does not run or does not speak as agreed. */
export class SandboxHelperError extends Error {
  readonly posix = 'EIO';

  constructor(message: string) {
    super(`sandbox helper: ${message}`);
    this.name = 'SandboxHelperError';
  }
}

/** Nobody has written sandbox/NAME.yaml. */
export class NoSuchPolicyError extends SandboxConfigError {
  constructor(name: string) {
    super(`there is no policy named ${name}`);
    this.name = 'NoSuchPolicyError';
  }
}
