import type { ExplainedPolicy } from '#sandbox';

/** `could not create Unix socket for …: Permission denied`, `listen unix NAME: bind: permission denied`, `listen EACCES: permission denied /NAME`. */
const UNIX_REFUSED = /(?:^|[\s(:])unix(?=[\s:(,]).{0,200}permission denied|\blisten EACCES: permission denied \//im;
/** `socket: Permission denied` names no kind. With the network on only Unix sockets are refused so; with it off it may be any. */
const ANY_REFUSED = /(?:^|[\s(:])socket(?=[\s:(,]).{0,200}permission denied/im;

/** What the policy has against Unix sockets, where a program says that it was refused one. */
export function socketHint(output: string, { grants, network }: ExplainedPolicy): readonly string[] {
  if (!output.includes('ermission denied') || grants.some(({ socket }) => socket === true)) return [];
  if (!UNIX_REFUSED.test(output) && !(network && ANY_REFUSED.test(output))) return [];
  return ['[sandbox: network.unix lists no socket, so tools reach none of others, and before Linux 7.1 have none of their own]'];
}
