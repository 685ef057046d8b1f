import { illegalArgument } from './errors.js';

/** Where a server is. For a listener, port 0 is any that is free, and host `*` is all interfaces. */
export type Address =
  { readonly type: 'unix'; readonly path: string } | { readonly type: 'tcp'; readonly host: string; readonly port: number };

const MAX_PORT = 65535;

/** Parses `unix!path`, `tcp!host!port`, `tcp!host:port`, a bare path (which may not look like another kind of address). Throws NinepError `illegal argument: ...`. */
export function parseAddress(text: string): Address {
  const { network, place } = /^(?<network>unix|tcp)!(?<place>.+)$/.exec(text)?.groups ?? {};
  if (network === 'tcp' && place !== undefined) return parseTcp(text, place);
  if (network === 'unix' && place !== undefined) return { type: 'unix', path: place };
  if (text === '' || (text.includes('!') && !/^[./]/.test(text))) throw illegalArgument(text);
  return { type: 'unix', path: text };
}

function parseTcp(text: string, place: string): Address {
  const { host, port } = /^(?<host>[^!]+)[!:](?<port>\d{1,5})$/.exec(place)?.groups ?? {};
  if (host === undefined || port === undefined || Number(port) > MAX_PORT) throw illegalArgument(text);
  return { type: 'tcp', host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

/** What `parseAddress` reads back. */
export function formatAddress(address: Address): string {
  return address.type === 'unix' ? `unix!${address.path}` : `tcp!${address.host}!${address.port}`;
}
