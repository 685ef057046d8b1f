import 'reflect-metadata';
import { join } from 'node:path';
import { Mount } from '#fuse';
import { NinePStrategy } from '#transport-ninep';
import { ByteLog, DataBuffer, control, command, data, dir, dirOf, mount, stream, text, ValueCell, wait } from '#virtfs';

const MIB = 1024 * 1024;
const [address = '', logMegabytes = '0', mountPoint = ''] = process.argv.slice(2);

/** What the load generator reads: a short file, a big one, a long directory, a long log, and a file that blocks. */
class World {
  readonly big = new DataBuffer(8 * MIB);
  readonly log = new ByteLog();
  readonly cell = new ValueCell('idle');
  readonly entries: ReadonlyMap<string, { n: number }> = new Map(Array.from({ length: 10_000 }, (_, n) => [`entry${n}`, { n }]));

  constructor() {
    this.big.replace('x'.repeat(8 * MIB), '');
    const piece = Buffer.alloc(MIB, 'log line\n');
    for (let n = 0; n < Number(logMegabytes); n++) this.log.append(piece);
  }
}

const namespace = dir<World>({
  hello: text('Twelve bytes', () => 'hello world\n'),
  big: data('8 MiB', (world) => world.big),
  log: stream('A log', (world) => world.log),
  wait: wait('Blocks', (world) => world.cell),
  ctl: control('Wakes all who wait', { wake: command<World>('wake', (world) => world.cell.set(String(performance.now()))) }),
  d10k: dirOf<World, { n: number }>(
    {},
    { label: '{entry}', entries: (world) => world.entries, find: (world, name) => world.entries.get(name) },
    text<{ n: number }>('Nothing', () => ''),
  ),
});

const server = new NinePStrategy(mount(namespace, new World()), { listen: [address] });
const helper = join(import.meta.dirname, '../../native/build/ollie-sandbox');
const warn = (error: unknown): void => process.emitWarning(String(error));

async function mountHere(directory: string): Promise<void> {
  const tree = { attach: async (tag: string | undefined) => ({ root: await server.attach(tag) }) };
  const made = await Mount.start({ tree, directory, helper, onBug: warn });
  process.once('SIGTERM', () => void made.close().then(() => process.exit()));
}

if (mountPoint !== '') await mountHere(mountPoint);
server.listen((error) => {
  if (error !== undefined) throw new Error(`cannot listen on ${address}`, { cause: error });
  process.stdout.write(`listening on ${address}\n`);
});
