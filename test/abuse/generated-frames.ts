import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { encodeMessage, ninep2000, ninep2000L, type Dialect } from '#ninep';
import { NinePStrategy } from '#transport-ninep';
import { ask, ByteLog, command, control, data, DataBuffer, dir, dirOf, message, mount, stream, text, ValueCell, wait } from '#virtfs';
import { anyFrame, TAGS } from './frame-arbitrary.js';
import { greeting, Hostile, NOTAG } from './hostile.js';

const FRAMES_A_RUN = 50;
const RVERSION = 101;

class World {
  readonly cell = new ValueCell('idle');
  readonly log = new ByteLog();
  readonly plan = new DataBuffer(4096);
  readonly children = new Map([['one', {}]]);
}

const namespace = dir<World>({
  who: text('Who calls', (_w, { client }) => `${client.uname}\n`),
  prompt: message('Prompt', (world, value) => world.cell.set(value.slice(0, 10))),
  plan: data('Plan', (world) => world.plan),
  ctl: control('Control', { stop: command<World>('stop', (world) => world.cell.set('idle')) }),
  wait: wait('State', (world) => world.cell),
  log: stream('Log', (world) => world.log),
  ask: ask('Echo', (_w, request) => request),
  child: dirOf<World, object>(
    {},
    {
      label: '{child}',
      entries: (world) => world.children,
      find: (world, name) => world.children.get(name),
      rename: () => undefined,
      remove: () => undefined,
    },
    dir<object>({ two: text('Two', () => '2\n') }),
  ),
});

/** A server of all kinds of files, at which generated frames are thrown. */
export class FrameTarget {
  readonly bugs: unknown[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'frames-'));
  readonly #path = join(this.#folder, 's');
  readonly #strategy = new NinePStrategy(mount(namespace, new World()), {
    listen: [`unix!${this.#path}`],
    onBug: (error) => this.bugs.push(error),
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => this.#strategy.listen((error) => (error === undefined ? resolve() : reject(error))));
  }

  async close(): Promise<void> {
    await this.#strategy.close();
    rmSync(this.#folder, { recursive: true });
  }

  /** Throws `count` frames of a dialect, some at a time: each is answered at most once, and the connection goes on. */
  async take(dialect: Dialect, count: number): Promise<void> {
    const hostile = await Hostile.open(this.#path, dialect);
    const frames = fc.array(anyFrame(dialect), { minLength: FRAMES_A_RUN, maxLength: FRAMES_A_RUN });
    try {
      await fc.assert(
        fc.asyncProperty(frames, (sent) => this.#exchange(hostile, sent)),
        { numRuns: count / FRAMES_A_RUN, endOnFailure: true },
      );
    } finally {
      hostile.hangUp();
    }
  }

  async #exchange(hostile: Hostile, sent: readonly Buffer[]): Promise<void> {
    hostile.send(...greeting(hostile.dialect), ...sent, versionOf(hostile.dialect));
    const asked = new Map<number, number>([[1, 1]]);
    for (const frame of sent) asked.set(frame.readUInt16LE(5), (asked.get(frame.readUInt16LE(5)) ?? 0) + 1);
    await hostile.answers(1);
    for (let frame = await next(hostile); frame.readUInt8(4) !== RVERSION; frame = await next(hostile)) {
      const tag = frame.readUInt16LE(5);
      const left = (asked.get(tag) ?? 0) - 1;
      if (left < 0 || tag >= TAGS) throw new Error(`an answer too many to tag ${tag}: ${frame.toString('hex')}`);
      asked.set(tag, left);
    }
    if (this.bugs.length > 0) throw new Error(`a bug: ${String(this.bugs[0])}`, { cause: this.bugs[0] });
  }
}

async function next(hostile: Hostile): Promise<Buffer> {
  const [frame] = await hostile.answers(1);
  return frame ?? Buffer.alloc(0);
}

function versionOf(dialect: Dialect): Buffer {
  return encodeMessage({ type: 'Tversion', tag: NOTAG, msize: 65536, version: dialect.version }, dialect);
}

/** Tests a server with so many frames of each dialect. */
export function describeFrames(count: number): void {
  describe(`${count} generated frames`, () => {
    const target = new FrameTarget();
    beforeAll(() => target.start());
    afterAll(() => target.close());

    it.each([ninep2000, ninep2000L])('of $version are answered once each and uncover no bug', (dialect) => target.take(dialect, count / 2));
  });
}
