import { OllieError } from '#model';

/** A tool's metadata that cannot be used. The message names the file and the key. */
export class ToolMetadataError extends OllieError {
  constructor(file: string, why: string) {
    super(`${file}: ${why}`, 'EINVAL', 'warn');
  }
}

/** A `proc/new` payload that is not one: contract 3.1. Lines count from 1. */
export class PayloadError extends OllieError {
  constructor(line: number) {
    super(`illegal argument: bad payload line ${line}`, 'EINVAL');
  }
}
