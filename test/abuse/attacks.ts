import { encodeMessage, ninep2000, ninep2000L, type Dialect, type Fcall } from '#ninep';
import { greeting, Hostile, opening } from './hostile.js';
import { Random } from './random.js';

/** Makes trouble at a socket; resolves, with the trouble still going on where it lasts, with what it keeps open. */
export type Attack = (socket: string) => Promise<readonly Hostile[]>;

const dialects: readonly Dialect[] = [ninep2000, ninep2000L];

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** A frame of a right size: any type, any body. */
function frame(type: number, tag: number, body: Uint8Array): Buffer {
  const head = Buffer.alloc(7);
  head.writeUInt32LE(7 + body.length, 0);
  head.writeUInt8(type, 4);
  head.writeUInt16LE(tag, 5);
  return Buffer.concat([head, body]);
}

/** The size field alone. */
function size(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export const noise: Attack = (socket) => {
  const random = new Random(1);
  return Promise.all(
    times(100, async () => {
      const hostile = await Hostile.open(socket);
      hostile.send(random.bytes(1 + random.below(5000)));
      return hostile;
    }),
  );
};

/** Types that hang up on what went before are left out, so that each frame is answered. */
export const randomFrames: Attack = (socket) => {
  const random = new Random(2);
  const own = [100, 108];
  return Promise.all(
    dialects.map(async (dialect) => {
      const hostile = await Hostile.attached(socket, dialect);
      for (let round = 0; round < 50; round++) {
        const types = times(100, () => random.below(256)).filter((type) => !own.includes(type));
        hostile.send(...types.map((type, tag) => frame(type, tag, random.bytes(random.below(60)))));
        await hostile.answers(types.length);
      }
      return hostile;
    }),
  );
};

export const everyType: Attack = (socket) =>
  Promise.all(
    dialects.map(async (dialect) => {
      const hostile = await Hostile.attached(socket, dialect);
      const types = times(256, (type) => type).filter((type) => type !== 100);
      hostile.send(...types.map((type) => frame(type, type, Buffer.alloc(0))));
      await hostile.answers(types.length);
      return hostile;
    }),
  );

/** Each is hung up on, before a version is agreed on and after. */
export const impossibleSizes: Attack = async (socket) => {
  const sizes = [0, 1, 2, 3, 4, 5, 6, 0x80000000, 0x80000013, 0xffffffff, 0x7fffffff, 65537 * 16];
  const early = await Promise.all(sizes.map(() => Hostile.open(socket)));
  const late = await Promise.all(sizes.map(() => Hostile.attached(socket)));
  for (const hostiles of [early, late]) hostiles.forEach((hostile, index) => hostile.send(size(sizes[index] ?? 0), Buffer.alloc(20)));
  await Promise.all([...early, ...late].map((hostile) => hostile.hungUpOn()));
  return [];
};

/** Messages with counts and lengths that point beyond their end, or stop before it. */
export const lyingCounts: Attack = async (socket) => {
  const hostile = await Hostile.attached(socket);
  const write: Fcall = { type: 'Twrite', tag: 1, fid: 0, offset: 0, data: Buffer.from('abc') };
  const walk: Fcall = { type: 'Twalk', tag: 1, fid: 0, newfid: 1, names: ['ctl'] };
  const lies: readonly (readonly [message: Fcall, at: number, bytes: number])[] = [
    [write, 19, 4],
    [walk, 15, 2],
    [walk, 17, 2],
    [{ type: 'Tattach', tag: 1, fid: 5, afid: 0xffffffff, uname: 'x', aname: 'y' }, 15, 2],
  ];
  for (const [message, at, bytes] of lies) {
    for (const value of [0, 1, 2, 4, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]) {
      const lie = encodeMessage(message);
      lie.writeUIntLE(value % 2 ** (8 * bytes), at, bytes);
      hostile.send(lie);
      await hostile.answers(1);
    }
  }
  return [hostile];
};

/** A conversation that ends after each of its bytes, and in each of its states with the answers awaited. */
export const hangUps: Attack = async (socket) => {
  for (const dialect of dialects) {
    const messages = [...opening(dialect, 1, ['session', 'abuse', 'agent', 'a', 'statewait']), read(1)];
    const whole = Buffer.concat([...greeting(dialect), ...messages.map((message) => encodeMessage(message, dialect))]);
    for (let end = 1; end <= whole.length; end += 3) {
      const hostile = await Hostile.open(socket, dialect);
      hostile.send(whole.subarray(0, end));
      hostile.hangUp();
    }
    for (let state = 0; state <= messages.length; state++) {
      const hostile = await Hostile.attached(socket, dialect);
      hostile.send(...messages.slice(0, state));
      await hostile.answers(Math.min(state, 2));
      hostile.hangUp();
    }
  }
  return [];
};

const agent = ['session', 'abuse', 'agent', 'a'];
const conversed = [
  ['generate'],
  ['ctl'],
  ['session', 'new'],
  ['session', 'abuse', 'agent', 'new'],
  ...['ctl', 'cfg', 'fifo', 'feed', 'prompt', 'statewait'].map((name) => [...agent, name]),
  ['approvals', 'resolve'],
  ['eventwait'],
];

/** Everything of a conversation in one piece: a read that the clunk behind it, or a flush, overtakes. */
export const conversationsAtOnce: Attack = async (socket) => {
  for (const [path, mode] of conversed.flatMap((names) => [0, 1, 2].map((way) => [names, way] as const))) {
    const hostile = await Hostile.attached(socket);
    const walk: Fcall = { type: 'Twalk', tag: 2, fid: 0, newfid: 1, names: path };
    const talk: readonly Fcall[] = [
      { type: 'Twrite', tag: 4, fid: 1, offset: 0, data: Buffer.from('no such thing\n') },
      { type: 'Tread', tag: 5, fid: 1, offset: 0, count: 8000 },
    ];
    hostile.send(walk, { type: 'Topen', tag: 3, fid: 1, mode }, ...talk, { type: 'Tclunk', tag: 6, fid: 1 });
    await hostile.answers(5);
    hostile.send(
      walk,
      { type: 'Topen', tag: 3, fid: 1, mode },
      ...talk,
      { type: 'Tflush', tag: 7, oldtag: 5 },
      { type: 'Tclunk', tag: 6, fid: 1 },
    );
    await hostile.answers(5);
    hostile.hangUp();
  }
  return [];
};

function read(fid: number, tag = 4): Fcall {
  return { type: 'Tread', tag, fid, offset: 0, count: 8000 };
}

export const fidExhaustion: Attack = async (socket) => {
  const hostile = await Hostile.attached(socket);
  for (let first = 1; first < 70_000; first += 1000) {
    hostile.send(walks(first));
    await hostile.answers(1000);
  }
  hostile.send({ type: 'Twalk', tag: 1, fid: 0, newfid: 1_000_000, names: [] });
  await expectError(hostile, 'too many fids');
  hostile.send({ type: 'Tclunk', tag: 1, fid: 1 }, { type: 'Twalk', tag: 2, fid: 0, newfid: 1, names: [] });
  const answers = [await hostile.answer(), await hostile.answer()].map(({ type }) => type);
  if (answers.sort().join() !== 'Rclunk,Rwalk') throw new Error(`a freed fid is not free: ${answers.join()}`);
  return [hostile];
};

/** A thousand walks to fids from `first` on: one message, over and over. */
function walks(first: number): Buffer {
  const walk = encodeMessage({ type: 'Twalk', tag: 0, fid: 0, newfid: 0, names: [] });
  const all = Buffer.concat(times(1000, () => walk));
  for (let n = 0; n < 1000; n++) {
    all.writeUInt16LE(n, n * walk.length + 5);
    all.writeUInt32LE(first + n, n * walk.length + 11);
  }
  return all;
}

async function expectError(hostile: Hostile, text: string): Promise<void> {
  const answer = await hostile.answer();
  if (answer.type !== 'Rerror' || !answer.ename.includes(text)) throw new Error(`instead of '${text}': ${JSON.stringify(answer)}`);
}

async function blockedReader(socket: string): Promise<Hostile> {
  const hostile = await Hostile.attached(socket);
  hostile.send(...opening(ninep2000, 1, ['session', 'abuse', 'agent', 'a', 'statewait']));
  await hostile.answers(2);
  return hostile;
}

/** All that a connection may have under way; one more is an error, and a flush is still heard. */
export const blockedReads: Attack = async (socket) => {
  const hostile = await blockedReader(socket);
  hostile.send(...times(4096, (n) => read(1, 10 + n)), read(1, 5000));
  await expectError(hostile, 'too many requests');
  hostile.send({ type: 'Tflush', tag: 5000, oldtag: 10 });
  const { type } = await hostile.answer();
  if (type !== 'Rflush') throw new Error(`a flush was answered by ${type}`);
  return [hostile];
};

/** Every tag there is, most of them refused. */
export const tagExhaustion: Attack = async (socket) => {
  const hostile = await blockedReader(socket);
  const tags = times(65_535, (tag) => tag);
  for (let at = 0; at < tags.length; at += 4096) hostile.send(...tags.slice(at, at + 4096).map((tag) => read(1, tag)));
  await hostile.answers(65_535 - 4096);
  return [hostile];
};

/** Asks for megabytes and takes nothing. */
export const floods: Attack = (socket) => {
  const reads = Buffer.concat(times(200, (tag) => encodeMessage(read(1, tag))));
  return Promise.all(
    times(20, async () => {
      const hostile = await Hostile.attached(socket);
      hostile.send(...opening(ninep2000, 1, ['help']));
      await hostile.answers(2);
      hostile.pause();
      for (let round = 0; round < 100; round++) hostile.send(reads);
      return hostile;
    }),
  );
};

/** Takes what it asked for in small pieces, with pauses. */
export const slowReaders: Attack = async (socket) => {
  const hostiles = await floods(socket);
  for (let round = 0; round < 5; round++) {
    for (const hostile of hostiles) hostile.resume();
    await new Promise(setImmediate);
    for (const hostile of hostiles) hostile.pause();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return hostiles;
};

/** Announces a message as long as may be, and sends a byte of it. */
export const unfinishedMessages: Attack = (socket) =>
  Promise.all(
    times(200, async () => {
      const hostile = await Hostile.attached(socket);
      hostile.send(Buffer.from([0, 0, 1, 0, 118]));
      return hostile;
    }),
  );

export const evilNames: Attack = async (socket) => {
  const bad = ['', '/', 'a/b', '../..', '/etc/passwd', 'a\0b', '\0', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const names = [...bad, '\u{fffd}', '\u202e', 'x'.repeat(60_000), '{session}', 'session\n', ' ', '*', '%2e%2e'];
  const ways = names.flatMap((name) => [[name], ['session', name], ['session', 'abuse', 'agent', name]]);
  for (const dialect of dialects) {
    const hostile = await Hostile.attached(socket, dialect);
    for (const way of ways) await expectNoWay(hostile, way);
    hostile.hangUp();
  }
  return [];
};

/** Neither an error nor a walk that ends early makes a fid. */
async function expectNoWay(hostile: Hostile, names: readonly string[]): Promise<void> {
  hostile.send({ type: 'Twalk', tag: 1, fid: 0, newfid: 9, names });
  const answer = await hostile.answer();
  if (answer.type === 'Rwalk' && answer.qids.length === names.length) throw new Error(`walked to ${JSON.stringify(names)}`);
}
