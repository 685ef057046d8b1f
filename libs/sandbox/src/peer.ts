import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { SandboxHelperError } from './errors.js';
import { parseFields } from './parse-helper-report.js';

/** The process that has connected to a Unix socket. */
export interface Peer {
  readonly pid: number;
  /** It, and whatever it starts, can never gain privileges: so it is with all that runs in a sandbox. */
  readonly noNewPrivs: boolean;
  /** `device:inode` of what it runs; `0:0` when that may not be seen. */
  readonly program: string;
}

/** Asks the helper who is at the other end of an accepted Unix socket. Throws SandboxHelperError when that cannot be told: the process may have gone. */
export async function askPeer(helper: string, socket: Socket): Promise<Peer> {
  const [said, complaint] = await answers(helper, descriptorOf(socket));
  const fields = said === '' ? undefined : parseFields(said);
  const [pid, noNewPrivs, program] = [fields?.get('pid'), fields?.get('noNewPrivs'), fields?.get('program')];
  if (typeof pid === 'number' && typeof noNewPrivs === 'boolean' && typeof program === 'string') return { pid, noNewPrivs, program };
  throw new SandboxHelperError(complaint.trim() || 'peer: incomplete answer');
}

async function answers(helper: string, descriptor: number): Promise<readonly [said: string, complaint: string]> {
  // Not as one of the first three: those are made blocking, and the open file behind the number is shared.
  const child = spawn(helper, ['peer'], { env: {}, stdio: ['ignore', 'pipe', 'pipe', descriptor] });
  const [, stdout, stderr] = child.stdio;
  if (!(stdout instanceof Readable) || !(stderr instanceof Readable)) throw new SandboxHelperError('peer: no pipes');
  const [said, complaint] = await Promise.all([text(stdout), text(stderr), once(child, 'close')]);
  return [said, complaint];
}

/** A socket that is handed over as such is read from no more; its number may be. */
function descriptorOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const descriptor: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  if (typeof descriptor !== 'number' || descriptor < 0) throw new SandboxHelperError('peer: the connection has gone');
  return descriptor;
}
