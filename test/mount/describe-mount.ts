import { accessSync, constants } from 'node:fs';

function mayMount(): boolean {
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

/** `describe` where root may mount; elsewhere its skipping twin. */
export const describeMount = mayMount() ? describe : describe.skip;
