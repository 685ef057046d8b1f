import { once } from 'node:events';
import { lstatSync, rmSync, type BigIntStats } from 'node:fs';
import { connect, type Server } from 'node:net';
import { formatAddress, type Address } from './address.js';
import { cannot, illegalArgument, NinepError } from './errors.js';

/** The kernel's limit for the path of a Unix socket. */
const MAX_PATH_BYTES = 107;
const ALL_BUT_OWNER = 0o177;

export function checkSocketPath(path: string): void {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw illegalArgument(`socket path too long: ${path}`);
}

/** Binds `server` and gives the address with the port that it has got. */
export async function bind(server: Server, address: Address): Promise<Address> {
  if (address.type === 'tcp') return bindTcp(server, address);
  await bindUnix(server, address.path);
  return address;
}

async function bindTcp(server: Server, address: Extract<Address, { readonly type: 'tcp' }>): Promise<Address> {
  const { host, port } = address;
  server.listen(host === '*' ? { port } : { host, port });
  await listening(server, formatAddress(address));
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? { ...address, port: bound.port } : address;
}

/**
 * Binds `server` to a socket that is 0600 from its first moment. A socket that nobody answers is replaced;
 * one that is answered, and any other file, is a NinepError with the path.
 */
async function bindUnix(server: Server, path: string): Promise<void> {
  checkSocketPath(path);
  await removeStale(path);
  const umask = process.umask(ALL_BUT_OWNER);
  try {
    // Node binds before listen returns; only the news of it comes later.
    server.listen(path);
  } finally {
    process.umask(umask);
  }
  await listening(server, `unix!${path}`);
}

async function listening(server: Server, address: string): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    throw cannot('listen on', address, error);
  }
}

async function removeStale(path: string): Promise<void> {
  const found = look(path);
  if (found === undefined) return;
  if (!found.isSocket()) throw new NinepError(`file already exists: ${path} is not a socket`, 'EEXIST');
  if (!(await removeDeadSocket(path))) throw new NinepError(`address in use: another process serves unix!${path}`, 'EADDRINUSE');
}

/** Removes a socket that nobody answers. False when somebody does; anything else stays as it is. */
export async function removeDeadSocket(path: string): Promise<boolean> {
  const found = look(path);
  if (found?.isSocket() !== true) return true;
  if (await isAnswered(path)) return false;
  // Another process may have replaced it while we asked.
  if (isSame(found, look(path))) rmSync(path, { force: true });
  return true;
}

function look(path: string): BigIntStats | undefined {
  return lstatSync(path, { throwIfNoEntry: false, bigint: true });
}

/** The number alone does not tell: a file system gives that of a removed file to the next one. */
function isSame(before: BigIntStats, now: BigIntStats | undefined): boolean {
  return now !== undefined && now.dev === before.dev && now.ino === before.ino && now.ctimeNs === before.ctimeNs;
}

/** Only a refused connection tells that nobody is there: a busy server gives EAGAIN. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'));
  });
}
