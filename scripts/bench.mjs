// npm run bench [-- NAME ...]: runs test/bench/NAME.mjs (all of them without a name) and prints ratios within this one run.
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { reportStops, Stop } from './stop.mjs';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'test/bench');

/** A bench module exports `rows()`: a list of { name, value, unit, ratio?, over? }, ratio being value over what `over` names. */
async function run(name) {
  const { rows } = await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  for (const row of await rows()) process.stdout.write(`${line(name, row)}\n`);
}

function line(bench, { name, value, unit, ratio, over }) {
  const measured = `${value.toFixed(value < 10 ? 2 : 1)} ${unit}`;
  const compared = ratio === undefined ? '' : `${ratio.toFixed(2)} x ${over}`;
  return `${bench.padEnd(12)} ${name.padEnd(34)} ${measured.padStart(12)}  ${compared}`.trimEnd();
}

await reportStops('bench', async () => {
  const known = readdirSync(folder)
    .filter((file) => file.endsWith('.mjs') && !file.startsWith('_'))
    .map((file) => file.slice(0, -'.mjs'.length));
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Stop(`no such bench: ${unknown.join(' ')} (there are: ${known.join(' ')})`);
  process.stdout.write(`${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}\n`);
  for (const name of wanted.length > 0 ? wanted : known) await run(name);
});
