import { connect, type Socket } from 'node:net';
import { QTAUTH } from './file-server.js';
import { formatAddress, type Address } from './address.js';
import { cannot, ioError } from './errors.js';
import { NOFID, NOTAG } from './fcall.js';
import { MIN_MESSAGE_BYTES } from './limits.js';
import { Link } from './link.js';
import { checkSocketPath } from './listen.js';
import { orClunk } from './remote-fid.js';
import { RemoteFile } from './remote-file.js';

/** Who attaches. */
export interface AttachOptions {
  readonly uname: string;
  readonly aname: string;
  /** Runs Tauth, writes this, attaches with the afid. */
  readonly secret?: string;
}

export interface DialOptions extends AttachOptions {
  readonly address: Address;
  /** The message size offered; 1 MiB if not given. */
  readonly msize?: number;
  /**
   * The server handles what comes for one fid in the order in which it comes, as NinepServer does and the protocol does not
   * demand: then the requests of one exchange are sent together. Others may answer wrongly then, and 9pserve dies of it.
   */
  readonly keepsOrder?: boolean;
}

/** A connection after Tattach. */
export interface Attached {
  readonly link: Link;
  readonly root: number;
  readonly authAnswer: string | undefined;
}

const DEFAULT_MSIZE = 1024 * 1024;
const VERSION = '9P2000';

/** Connects, agrees on the version, proves itself if there is a secret, attaches. An abort or an error closes the connection. */
export async function dial(options: DialOptions, signal?: AbortSignal): Promise<Attached> {
  signal?.throwIfAborted();
  return converse(await connectTo(options.address, signal), options, signal);
}

/** The same on a socket that is connected already. */
export async function converse(socket: Socket, options: Omit<DialOptions, 'address'>, signal?: AbortSignal): Promise<Attached> {
  const msize = options.msize ?? DEFAULT_MSIZE;
  const link = new Link(socket, msize);
  try {
    await agree(link, msize, signal);
    return await attach(link, options, signal);
  } catch (error) {
    link.fail(ioError('connection closed', error));
    throw error;
  }
}

function connectTo(address: Address, signal: AbortSignal | undefined): Promise<Socket> {
  if (address.type === 'unix') checkSocketPath(address.path);
  return new Promise((resolve, reject) => {
    const socket =
      address.type === 'unix' ? connect(address.path) : connect({ host: address.host, port: address.port, noDelay: true, keepAlive: true });
    const fail = (reason: unknown) => {
      settle();
      socket.destroy();
      reject(reason);
    };
    const onConnect = () => {
      settle();
      resolve(socket);
    };
    const onError = (error: Error) => fail(cannot('connect to', formatAddress(address), error));
    const onAbort = () => fail(signal?.reason);
    const settle = () => {
      signal?.removeEventListener('abort', onAbort);
      socket.off('connect', onConnect).off('error', onError);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    socket.once('connect', onConnect).once('error', onError);
  });
}

async function agree(link: Link, msize: number, signal: AbortSignal | undefined): Promise<void> {
  const reply = await link.call(() => ({ type: 'Tversion', tag: NOTAG, msize, version: VERSION }), 'Rversion', signal);
  const isGood = reply.version === VERSION && reply.msize <= msize && reply.msize >= MIN_MESSAGE_BYTES;
  if (!isGood) throw ioError(`server offers version ${reply.version} with messages of ${reply.msize} bytes`);
  link.agree(reply.msize);
}

/** Proves itself if there is a secret, and attaches. Whatever fails, no fid is left. */
export async function attach(link: Link, { uname, aname, secret }: AttachOptions, signal: AbortSignal | undefined): Promise<Attached> {
  const auth = secret === undefined ? undefined : await authenticate(link, { uname, aname, secret }, signal);
  const fid = link.fids.take();
  const afid = auth?.file.fid ?? NOFID;
  const attaching = link.call((tag) => ({ type: 'Tattach', tag, fid, afid, uname, aname }), 'Rattach', signal);
  const attached = orClunk(link, fid, attaching);
  await (auth === undefined ? attached : orGiveUp(auth.file, attached));
  await auth?.file.clunk();
  return { link, root: fid, authAnswer: auth?.answer };
}

interface Credentials {
  readonly uname: string;
  readonly aname: string;
  readonly secret: string;
}

interface Proof {
  readonly file: RemoteFile;
  readonly answer: string;
}

/** Writes the secret and reads what the server says to it. */
async function authenticate(link: Link, { uname, aname, secret }: Credentials, signal: AbortSignal | undefined): Promise<Proof> {
  const afid = link.fids.take();
  const asking = link.call((tag) => ({ type: 'Tauth', tag, afid, uname, aname }), 'Rauth', signal);
  await orClunk(link, afid, asking);
  const file = new RemoteFile(link, afid, { qidType: QTAUTH, iounit: 0 });
  return { file, answer: await orGiveUp(file, prove(file, secret, signal)) };
}

async function prove(file: RemoteFile, secret: string, signal: AbortSignal | undefined): Promise<string> {
  await file.write(0, Buffer.from(secret), signal);
  const answer = await file.read(0, file.iounit, signal);
  return Buffer.from(answer).toString().trimEnd();
}

/** Waits for `work` of which the file is a part; when that fails the file is given up. */
async function orGiveUp<T>(file: RemoteFile, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    void Promise.allSettled([file.clunk()]);
    throw error;
  }
}
