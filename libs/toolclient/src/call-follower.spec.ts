import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutputPiece } from '#model';
import { Client } from '#ninep';
import { NinePStrategy } from '#transport-ninep';
import { ask, ByteLog, dir, dirOf, mount, output, text } from '#virtfs';
import { CallFollower } from './call-follower.js';

/** A process as its directory shows it. */
interface Shown {
  readonly pid: number;
  readonly stat: string;
  readonly log: ByteLog;
}

/** The processes of a tool server, which the test begins. */
class Scene {
  readonly asked: string[] = [];
  /** Whose stat was read, in order. */
  readonly looked: number[] = [];
  readonly rows: string[] = [];
  readonly processes = new Map<string, Shown>();

  begin(pid: number, stat: string): ByteLog {
    const log = new ByteLog();
    this.rows.push(`${pid}\trunning\tshell\n`);
    this.processes.set(String(pid), { pid, stat: `${stat}\n`, log });
    return log;
  }
}

let scene: Scene;
const look = ({ pid, stat }: Shown): string => (scene.looked.push(pid), stat);

const namespace = dir<Scene>({
  proc: dirOf<Scene, Shown>(
    { list: ask('list', ({ asked, rows }, agent) => (asked.push(agent), rows.join(''))) },
    { label: '{pid}', entries: ({ processes }) => processes, find: ({ processes }, pid) => processes.get(pid) },
    dir<Shown>({ stat: text('stat', look), out: output('out', (shown) => shown.log) }),
  ),
});

describe('following a call', () => {
  let folder: string;
  let door: NinePStrategy;
  let client: Client;
  let stop: AbortController;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ollie-cf-'));
    scene = new Scene();
    stop = new AbortController();
    const path = join(folder, 's');
    door = new NinePStrategy(mount(namespace, scene), { listen: [`unix!${path}`] });
    await new Promise<void>((resolve, reject) => door.listen((error) => (error === undefined ? resolve() : reject(error))));
    client = await Client.dial({ address: { type: 'unix', path }, uname: 'agent', aname: '' });
  });
  afterEach(async () => {
    client.close();
    await door.close();
    rmSync(folder, { recursive: true });
  });

  const follow = (): AsyncGenerator<OutputPiece> => new CallFollower(client, { agentId: 'a-1', callId: 'c-1' }, stop.signal).pieces();

  /** Pieces until there are `bytes` of them. */
  async function take(pieces: AsyncGenerator<OutputPiece>, bytes: number): Promise<readonly OutputPiece[]> {
    const taken: OutputPiece[] = [];
    for (let length = 0; length < bytes;) {
      const step = await pieces.next();
      if (step.done) throw new Error('no more pieces');
      taken.push(step.value);
      length += step.value.bytes.length;
    }
    return taken;
  }

  const textOf = (pieces: readonly OutputPiece[]): string => Buffer.concat(pieces.map(({ bytes }) => bytes)).toString();

  it('asks nothing of a call that ends at once', async () => {
    const next = follow().next();
    await sleep(100);
    stop.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(scene.asked).toEqual([]);
  });

  it('finds the process among others, gone ones and one in the background of the same id', async () => {
    scene.begin(3, 'call=other\nbackground=false').append('wrong');
    scene.begin(4, 'call=c-1\nbackground=true').append('wrong');
    scene.begin(5, 'call=c-1\nbackground=false').append('wrong');
    scene.rows.splice(2, 1, '5\texited\tshell\n', '6\trunning\tshell\n');
    const log = scene.begin(7, 'call=c-1\nbackground=false');
    log.append('one\n');
    const pieces = follow();
    expect(await take(pieces, 4)).toEqual([{ pid: 7, bytes: Buffer.from('one\n') }]);
    log.append('two\n');
    expect(textOf(await take(pieces, 4))).toBe('two\n');
    expect(scene.asked).toEqual(['a-1\n']);
    stop.abort();
  });

  it('waits for a process that begins later, and asks about each of the others once', async () => {
    scene.begin(1, 'call=other');
    const pieces = follow();
    const first = take(pieces, 3);
    await sleep(500);
    scene.begin(2, 'call=c-1').append('now');
    expect(textOf(await first)).toBe('now');
    expect(scene.asked.length).toBeGreaterThan(2);
    expect(scene.looked).toEqual([1, 2]);
    stop.abort();
  });

  it('gives what comes fast in few pieces, and much of it in small ones', async () => {
    const log = scene.begin(1, 'call=c-1');
    const pieces = follow();
    const begun = performance.now();
    const all = take(pieces, 100);
    for (let tick = 0; tick < 100; tick += 1) {
      log.append('.');
      await sleep(8);
    }
    const few = await all;
    expect(few.length).toBeLessThanOrEqual(Math.ceil((performance.now() - begun) / 100));
    log.append('x'.repeat(40_000));
    expect((await take(pieces, 40_000)).map(({ bytes }) => bytes.length)).toEqual([16_384, 16_384, 7232]);
    stop.abort();
  });

  it('ends with the signal while there is nothing to see', async () => {
    scene.begin(1, 'call=c-1').append('x');
    const pieces = follow();
    await take(pieces, 1);
    const next = pieces.next();
    stop.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('fails with the connection', async () => {
    scene.begin(1, 'call=c-1').append('x');
    const pieces = follow();
    await take(pieces, 1);
    const [next] = await Promise.allSettled([pieces.next(), door.close()]);
    expect(next).toMatchObject({ status: 'rejected', reason: { posix: 'EIO' } });
  });
});
