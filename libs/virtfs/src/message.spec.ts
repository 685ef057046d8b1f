import { describeKind } from '#testkit';
import { dir } from './dir.js';
import { FileError, TooLongError } from './errors.js';
import { MemoryClient } from './memory-client.js';
import { message } from './message.js';
import { mount } from './mount.js';
import type { FileHandle } from './types.js';

const NEVER = new AbortController().signal;

class Inbox {
  readonly received: string[] = [];
}

const row = message<Inbox>('A message', async (inbox, text, call) => {
  if (text === 'bad') throw new FileError('illegal argument: bad', 'EINVAL');
  inbox.received.push(`${call.client.uname}: ${text}`);
});

describeKind<Inbox>('message', {
  row,
  subject: () => new Inbox(),
  mode: 0o220,
  request: 'hello\n',
  length: 'zero',
  effects: (inbox) => [...inbox.received],
  change: async (_inbox, node) => {
    const handle = await node.open({ read: false, write: true, truncate: false }, { role: 'user', uname: 'u', aname: '', tag: 't' });
    await handle.write(0, Buffer.from('x'), { signal: NEVER });
    await handle.close('clunk');
  },
});

function bench() {
  const inbox = new Inbox();
  const client = new MemoryClient(mount(dir<Inbox>({ prompt: row }), inbox), { uname: 'glenda' });
  return { inbox, client, open: () => client.open('prompt', { read: false, write: true, truncate: true }) };
}

async function put(handle: FileHandle, ...pieces: readonly string[]): Promise<void> {
  let offset = 0;
  for (const piece of pieces) {
    await handle.write(offset, Buffer.from(piece), { signal: NEVER });
    offset += Buffer.byteLength(piece);
  }
}

describe('message', () => {
  it('joins its writes and takes effect at the close, not before', async () => {
    const { inbox, open } = bench();
    const handle = await open();
    await put(handle, 'one\n', 'two\n', 'three');
    expect(inbox.received).toEqual([]);
    await handle.close('clunk');
    expect(inbox.received).toEqual(['glenda: one\ntwo\nthree']);
  });

  it('joins a character that was cut between two writes', async () => {
    const { inbox, open } = bench();
    const handle = await open();
    const bytes = Buffer.from('a✓b');
    await handle.write(0, bytes.subarray(0, 2), { signal: NEVER });
    await handle.write(2, bytes.subarray(2), { signal: NEVER });
    await handle.close('clunk');
    expect(inbox.received).toEqual(['glenda: a✓b']);
  });

  it('strips nothing and shows bytes that are no UTF-8 as U+FFFD', async () => {
    const { inbox, open } = bench();
    const handle = await open();
    await handle.write(0, Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x0a]), { signal: NEVER });
    await handle.close('clunk');
    expect(inbox.received).toEqual(['glenda: \uFEFFa\uFFFD\n']);
  });

  it('joins appends that all come at offset 0', async () => {
    const { inbox, open } = bench();
    const handle = await open();
    await handle.write(0, Buffer.from('a'), { signal: NEVER });
    await handle.write(0, Buffer.from('b'), { signal: NEVER });
    await handle.close('clunk');
    expect(inbox.received).toEqual(['glenda: ab']);
  });

  it('takes effect when the connection breaks', async () => {
    const { inbox, open } = bench();
    const handle = await open();
    await put(handle, 'from ixpc');
    await handle.close('hangup');
    expect(inbox.received).toEqual(['glenda: from ixpc']);
  });

  it('fails the close as the row fails', async () => {
    await expect(bench().client.write('prompt', 'bad')).rejects.toThrow('illegal argument: bad');
  });

  it('refuses what goes above 16 MiB, and then takes none of it', async () => {
    const { inbox, open } = bench();
    const handle = await open();
    const half = Buffer.alloc(8 * 1024 * 1024, 'x');
    await handle.write(0, half, { signal: NEVER });
    await handle.write(half.length, half, { signal: NEVER });
    expect(() => handle.write(2 * half.length, Buffer.from('y'), { signal: NEVER })).toThrow(TooLongError);
    expect(() => handle.write(2 * half.length, Buffer.from('z'), { signal: NEVER })).toThrow('message too long');
    await handle.close('clunk');
    expect(inbox.received).toEqual([]);
  });
});
