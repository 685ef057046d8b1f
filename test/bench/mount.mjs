import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './_measure.mjs';
import { buildLoad, load, serverProgram, start } from './_ninep-load.mjs';

const ROUNDS = 3;
const OPENS = '3000';
const BULK_SECONDS = '2';

function buildMountLoad(folder) {
  const program = join(folder, 'mount-load');
  execFileSync('cc', ['-O2', '-o', program, join(import.meta.dirname, '_mount-load.c')], { stdio: 'inherit' });
  return program;
}

/** One run on the mount: the figure that it prints. */
function mountLoad(program, ...words) {
  return Number(execFileSync(program, words, { encoding: 'utf8' }));
}

/** Our own mount against raw 9P to the same server, in turn. */
export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), 'ollie-bench-'));
  const [socket, directory] = [join(folder, 'socket'), join(folder, 'mnt')];
  mkdirSync(directory);
  const [raw, onMount] = [buildLoad(folder), buildMountLoad(folder)];
  const server = await start(await serverProgram(), [`unix!${socket}`, '0', directory], socket);
  try {
    const walk = { args: ['-n', OPENS, '-f', 'hello', 'walk'], figure: 'p50_us' };
    const [walks, opens, bulks] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      walks.push(load(raw, socket, walk));
      opens.push(mountLoad(onMount, 'open', join(directory, 'hello'), OPENS));
      bulks.push(mountLoad(onMount, 'bulk', join(directory, 'big'), BULK_SECONDS));
    }
    const [value, base] = [median(opens), median(walks)];
    return [
      {
        name: 'open, read, close on the mount (<= 3)',
        value,
        unit: 'us',
        ratio: value / base,
        over: `raw walk, open, read, clunk (${base})`,
      },
      { name: 'bulk on the mount (>= 300)', value: median(bulks), unit: 'MB/s' },
    ];
  } finally {
    await server.stop('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}
