import { join } from 'node:path';
import { type Environment } from '#config';
import { NinepError, namespaceDirectory, parseAddress } from '#ninep';

/** Where olliesrv listens and is looked for when nobody says: `ollie` in the namespace directory. */
export function defaultAddress(env: Environment): string {
  return `unix!${join(namespaceDirectory(env), 'ollie')}`;
}

/** Throws NinepError for anything but a Unix socket. */
export function socketPath(address: string): string {
  const parsed = parseAddress(address);
  if (parsed.type !== 'unix') throw new NinepError(`illegal argument: ${address}: only unix!path is served here`, 'EINVAL');
  return parsed.path;
}
