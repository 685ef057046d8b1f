import { describeKind } from '#testkit';
import { dir } from './dir.js';
import { FileError } from './errors.js';
import { MemoryClient } from './memory-client.js';
import { mount } from './mount.js';
import { fetched, text } from './text.js';

const NEVER = new AbortController().signal;

class Note {
  renderings = 0;
  gate: Promise<void> | undefined;
  open = (): void => undefined;
  constructor(public content = 'naïve ✓\nline two\n') {}

  read(): string | Promise<string> {
    this.renderings++;
    return this.gate ? this.gate.then(() => this.content) : this.content;
  }

  rename(value: string): void {
    if (value === '') throw new FileError('illegal name: ', 'EINVAL');
    this.content = `${value}\n`;
  }

  shut(): void {
    this.gate = new Promise((resolve) => (this.open = resolve));
  }
}

const readOnly = text<Note>('A note', (n) => n.read());
const writable = text<Note>(
  'A note',
  (n) => n.read(),
  (n, value) => n.rename(value),
);

describeKind<Note>('text', {
  row: readOnly,
  subject: () => new Note(),
  mode: 0o444,
  content: 'naïve ✓\nline two\n',
  length: 'that of the content',
  change: (n) => {
    n.content += 'more';
  },
  block: (n) => {
    n.shut();
    return { offset: 0 };
  },
  unblock: (n) => n.open(),
});

describeKind<Note>('text that is written', {
  row: writable,
  subject: () => new Note('old\n'),
  mode: 0o664,
  content: 'new\n',
  request: 'new\n',
  length: 'that of the content',
  effects: (n) => n.content,
} as const);

function bench(row = readOnly, note = new Note()) {
  const root = mount(dir<Note>({ note: row }), note);
  return { note, client: new MemoryClient(root, { uname: 'glenda' }) };
}

describe('text', () => {
  it('serves one handle from the snapshot of its read at 0, and a new read at 0 renders anew', async () => {
    const { note, client } = bench();
    const handle = await client.open('note', { read: true, write: false, truncate: false });
    await handle.read(0, 3, { signal: NEVER });
    note.content = 'different';
    expect(Buffer.from(await handle.read(0, 3, { signal: NEVER })).toString()).toBe('dif');
    note.content = 'again';
    expect(Buffer.from(await handle.read(3, 100, { signal: NEVER })).toString()).toBe('ferent');
  });

  it('renders for a first read that does not start at 0', async () => {
    const { client } = bench(readOnly, new Note('0123456789'));
    const handle = await client.open('note', { read: true, write: false, truncate: false });
    expect(Buffer.from(await handle.read(7, 100, { signal: NEVER })).toString()).toBe('789');
  });

  it('lets overlapping reads share one rendering', async () => {
    const { note, client } = bench(readOnly, new Note('0123456789'));
    note.shut();
    const handle = await client.open('note', { read: true, write: false, truncate: false });
    const pieces = Promise.all([handle.read(0, 5, { signal: NEVER }), handle.read(5, 5, { signal: NEVER })]);
    note.open();
    expect(Buffer.concat(await pieces).toString()).toBe('0123456789');
    expect(note.renderings).toBe(1);
  });

  it('serves the newest rendering, even if an older one ends after it', async () => {
    const gates: (() => void)[] = [];
    const slow = text<Note>('A note', (n) => new Promise((resolve) => gates.push(() => resolve(n.content))));
    const { note, client } = bench(slow, new Note('newer'));
    const handle = await client.open('note', { read: true, write: false, truncate: false });
    const first = Promise.resolve(handle.read(0, 10, { signal: NEVER }));
    const second = Promise.resolve(handle.read(0, 10, { signal: NEVER }));
    gates[1]?.();
    await second;
    note.content = 'older';
    gates[0]?.();
    await first;
    expect(Buffer.from(await handle.read(1, 10, { signal: NEVER })).toString()).toBe('ewer');
  });

  it('reads anew after a rendering that failed', async () => {
    let fails = true;
    const failing = text<Note>('A note', async () => {
      if (fails) throw new FileError('i/o error: disk', 'EIO');
      return 'fine';
    });
    const { client } = bench(failing);
    const handle = await client.open('note', { read: true, write: false, truncate: false });
    await expect(handle.read(0, 10, { signal: NEVER })).rejects.toThrow('i/o error: disk');
    fails = false;
    expect(Buffer.from(await handle.read(0, 10, { signal: NEVER })).toString()).toBe('fine');
  });

  it('takes a write at the close, without one trailing newline, whatever its pieces', async () => {
    const { note, client } = bench(writable);
    const handle = await client.open('note', { read: false, write: true, truncate: true });
    await handle.write(0, Buffer.from('two '), { signal: NEVER });
    await handle.write(4, Buffer.from('parts\n\n'), { signal: NEVER });
    expect(note.content).toContain('naïve');
    await handle.close('clunk');
    expect(note.content).toBe('two parts\n\n');
    expect((await client.stat('note')).muid).toBe('glenda');
  });

  it('fails the close when the row refuses the value', async () => {
    const { note, client } = bench(writable);
    await expect(client.write('note', '\n')).rejects.toThrow('illegal name: ');
    expect(note.content).toContain('naïve');
  });

  it('does nothing when opened with truncation and closed', async () => {
    const { note, client } = bench(writable);
    await client.write('note', '');
    expect(note.content).toContain('naïve');
  });

  it('takes a write of a read-write handle at the next read, which may stand where the write ended', async () => {
    const { client } = bench(writable);
    expect(await client.ask('note', 'fresh\n')).toBe('fresh\n');
  });

  it('takes a write when the connection of a write-only handle breaks, and drops it on a read-write one', async () => {
    const written = async (read: boolean) => {
      const { note, client } = bench(writable);
      const handle = await client.open('note', { read, write: true, truncate: false });
      await handle.write(0, Buffer.from('last'), { signal: NEVER });
      await handle.close('hangup');
      return note.content === 'last\n';
    };
    expect(await written(false)).toBe(true);
    expect(await written(true)).toBe(false);
  });

  it('tells the last known length where rendering fails, so that the directory stays listable', async () => {
    const { note, client } = bench();
    const { length } = await client.stat('note');
    note.read = () => {
      throw new FileError('i/o error: toolsrv: gone', 'EIO');
    };
    expect((await client.stat('note')).length).toBe(length);
  });

  it('does not hide a bug of the row from stat', async () => {
    const { note, client } = bench();
    note.read = () => {
      throw new TypeError('a bug');
    };
    await expect(client.stat('note')).rejects.toThrow('a bug');
  });
});

describe('fetched text', () => {
  it('is never rendered for stat, which tells the length of the last reading', async () => {
    const { note, client } = bench(fetched<Note>('Far away', (n) => n.read()));
    expect((await client.stat('note')).length).toBe(0);
    expect(note.renderings).toBe(0);
    await client.read('note');
    expect((await client.stat('note')).length).toBe(Buffer.byteLength(note.content));
    expect(note.renderings).toBe(1);
  });
});
