import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { decodeMessage } from './codec.js';
import { Outbox } from './outbox.js';

/** A socket that notes each write that the kernel would see. */
class NotingSocket extends Duplex {
  readonly writes: Buffer[] = [];
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.writes.push(chunk);
    done();
  }
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    done();
  }
  override _read(): void {
    return;
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('an outbox', () => {
  let nowMs = 0;
  beforeEach(() => {
    nowMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => jest.restoreAllMocks());

  it('sends in a long turn what has waited for a quarter of a millisecond, with all that is there', async () => {
    const socket = new NotingSocket();
    const outbox = new Outbox(socket as unknown as Socket, () => undefined);
    for (const [tag, ms] of [0, 0.2, 0.3, 0.4, 0.6, 0.7].entries()) {
      nowMs = ms;
      outbox.send({ type: 'Rflush', tag });
    }
    expect(socket.writes.map((bytes) => bytes.length)).toEqual([21, 14]);
    await turn();
    expect(socket.writes.map((bytes) => bytes.length)).toEqual([21, 14, 7]);
  });

  it('sends all messages of one turn in one write, late ones of the same turn included', async () => {
    const socket = new NotingSocket();
    let turns = 0;
    const outbox = new Outbox(socket as unknown as Socket, () => turns++);
    outbox.send({ type: 'Rflush', tag: 1 });
    void Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => outbox.send({ type: 'Rclunk', tag: 2 }));
    outbox.send({ type: 'Rread', tag: 3, data: Buffer.alloc(50_000) });
    outbox.send({ type: 'Rread', tag: 4, data: Buffer.alloc(50_000) });
    await turn();
    expect(socket.writes.map((bytes) => bytes.length)).toEqual([7 + 7 + 2 * 50_011]);
    expect(turns).toBe(1);
    outbox.send({ type: 'Rflush', tag: 5 });
    await turn();
    expect(socket.writes.slice(1).map((frame) => decodeMessage(frame))).toEqual([{ type: 'Rflush', tag: 5 }]);
  });

  it('sends what several callbacks say in one write, when the event loop has found them together', async () => {
    const socket = new NotingSocket();
    const outbox = new Outbox(socket as unknown as Socket, () => undefined);
    for (const tag of [1, 2, 3]) setTimeout(() => outbox.send({ type: 'Rflush', tag }), 1);
    await new Promise((resolve) => setTimeout(resolve, 1));
    await turn();
    expect(socket.writes.map((bytes) => bytes.length)).toEqual([21]);
  });

  it('sends nothing of a message that is too long, and all of the others', async () => {
    const socket = new NotingSocket();
    const outbox = new Outbox(socket as unknown as Socket, () => undefined);
    outbox.agree(outbox.dialect, 300);
    outbox.send({ type: 'Rflush', tag: 1 });
    expect(() => outbox.send({ type: 'Rread', tag: 2, data: Buffer.alloc(290) })).toThrow('i/o error: message too long');
    outbox.send({ type: 'Rread', tag: 3, data: Buffer.from('abc') });
    await turn();
    const [written = Buffer.alloc(0)] = socket.writes;
    expect(decodeMessage(written.subarray(0, 7))).toEqual({ type: 'Rflush', tag: 1 });
    expect(decodeMessage(written.subarray(7))).toEqual({ type: 'Rread', tag: 3, data: Buffer.from('abc') });
  });

  it('sends long data from where it lies, and short data as a copy', async () => {
    const socket = new NotingSocket();
    const outbox = new Outbox(socket as unknown as Socket, () => undefined);
    const [long, short] = [Buffer.alloc(10_000, 'a'), Buffer.from('abc')];
    outbox.send({ type: 'Rread', tag: 1, data: long });
    outbox.send({ type: 'Rread', tag: 2, data: short });
    const [, lent] = outbox.writer.take();
    expect(lent).toBe(long);
    outbox.send({ type: 'Rread', tag: 3, data: short });
    short.fill('z');
    expect(decodeMessage(outbox.writer.take()[0] ?? Buffer.alloc(0))).toEqual({ type: 'Rread', tag: 3, data: Buffer.from('abc') });
    await turn();
  });

  it('does not touch again what it has sent', async () => {
    const socket = new NotingSocket();
    const outbox = new Outbox(socket as unknown as Socket, () => undefined);
    for (let tag = 0; tag < 2000; tag++) {
      outbox.send({ type: 'Rread', tag, data: Buffer.from(String(tag)) });
      if (tag % 10 === 0) await turn();
    }
    await turn();
    const all = Buffer.concat(socket.writes);
    let tags = 0;
    for (let at = 0; at < all.length; at += all.readUInt32LE(at)) {
      const message = decodeMessage(all.subarray(at, at + all.readUInt32LE(at)));
      expect(message).toEqual({ type: 'Rread', tag: tags, data: Buffer.from(String(tags)) });
      tags++;
    }
    expect(tags).toBe(2000);
  });
});
