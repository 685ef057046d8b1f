import { once } from 'node:events';
import { createConnection } from 'node:net';
import { ninep } from './_servers.mjs';

const RERROR = 107;
const RREAD = 117;
const READ_HEAD = 11;
const COUNT = 8192;
const NONE = 0xffffffff;

/** One connection that follows many logs with as little of its own as a reader can have: what is measured is the server. */
export class LogReader {
  #socket;
  #encode;
  #rest = Buffer.alloc(0);
  /** By tag, which is also the fid. */
  #logs = [];
  #answer;

  static async dial(path) {
    const { encodeMessage } = await ninep();
    const reader = new LogReader();
    reader.#encode = encodeMessage;
    reader.#socket = createConnection(path).on('data', (chunk) => reader.#take(chunk));
    await once(reader.#socket, 'connect');
    await reader.#ask({ type: 'Tversion', tag: 0xffff, msize: 65536, version: '9P2000' });
    await reader.#ask({ type: 'Tattach', tag: 0, fid: 0, afid: NONE, uname: 'bench', aname: '' });
    return reader;
  }

  /** Opens a file for `follow`; gives its number. */
  async open(path) {
    const fid = Math.max(1, this.#logs.length);
    await this.#ask({ type: 'Twalk', tag: 0, fid: 0, newfid: fid, names: path.split('/') });
    await this.#ask({ type: 'Topen', tag: 0, fid, mode: 0 });
    const tread = Buffer.from(this.#encode({ type: 'Tread', tag: fid, fid, offset: 0, count: COUNT }));
    this.#logs[fid] = { offset: 0, tread };
    return fid;
  }

  /** Gives all that comes behind what came last time; resolves at the end of file. */
  follow(number, take) {
    return new Promise((resolve) => {
      Object.assign(this.#logs[number], { take, resolve });
      this.#read(this.#logs[number]);
    });
  }

  close() {
    this.#socket.destroy();
  }

  #ask(message) {
    this.#socket.write(this.#encode(message));
    return new Promise((resolve) => (this.#answer = resolve));
  }

  #read({ tread, offset }) {
    const request = Buffer.from(tread);
    request.writeUIntLE(offset, READ_HEAD, 6);
    this.#socket.write(request);
  }

  #take(chunk) {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#socket.cork();
    while (bytes.length >= 4 && bytes.length >= bytes.readUInt32LE(0)) {
      const size = bytes.readUInt32LE(0);
      this.#frame(bytes.subarray(0, size));
      bytes = bytes.subarray(size);
    }
    this.#socket.uncork();
    this.#rest = bytes;
  }

  #frame(frame) {
    const [type, tag] = [frame[4], frame.readUInt16LE(5)];
    if (type === RERROR) throw new Error(`a log was not read: ${frame.toString('latin1', 9)}`);
    if (type === RREAD) this.#data(this.#logs[tag], frame.subarray(READ_HEAD));
    else this.#answer();
  }

  #data(log, bytes) {
    if (bytes.length === 0) return log.resolve();
    log.offset += bytes.length;
    log.take(bytes);
    this.#read(log);
  }
}
