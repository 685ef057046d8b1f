import { existsSync } from 'node:fs';
import type { Environment } from '#config';

/**
 * The socket of the session bus, in the form that node:net takes; an abstract one begins with a NUL. Undefined where
 * there is no bus, and where DBUS_SESSION_BUS_ADDRESS is set to nothing, which says that none is wanted.
 */
export function sessionBusSocket(env: Environment): string | undefined {
  const address = env.DBUS_SESSION_BUS_ADDRESS;
  if (address !== undefined) return socketOf(address);
  return env.XDG_RUNTIME_DIR ? `${env.XDG_RUNTIME_DIR}/bus` : undefined;
}

/** True unless it is a path with nothing there. */
export function mayListen(socket: string): boolean {
  return socket.startsWith('\0') || existsSync(socket);
}

/** The first Unix socket of `transport:key=value,...;...`, whose values have their odd bytes as %xx. */
function socketOf(address: string): string | undefined {
  for (const one of address.split(';')) {
    const [, key, value] = /^unix:(?:.*,)?(path|abstract)=([^,]+)/.exec(one) ?? [];
    if (value !== undefined) return (key === 'abstract' ? '\0' : '') + unescaped(value);
  }
  return undefined;
}

function unescaped(value: string): string {
  return value.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
