// node scripts/guard-imports.mjs [FOLDER]: the arrows of .dependency-cruiser.mjs over apps and libs of the folder.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportStops, Stop } from './stop.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A cruiser that cannot read TypeScript sees nothing and finds nothing: fewer modules than this is a failure. */
const FEWEST_MODULES = 100;

/** What dependency-cruiser found: `modules` seen and `violations` as lines of `rule: from -> to`. */
export function cruise(folder) {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [program, '--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json', 'apps', 'libs'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (!stdout) throw new Stop(refusal(stderr));
  const { totalCruised, violations } = JSON.parse(stdout).summary;
  return { modules: totalCruised, violations: violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`) };
}

/** It runs on fewer Nodes than Ollie does. */
function refusal(words) {
  const [reason = ''] = words.replace(/^\s*(ERROR: )?/, '').split(/\.?[ \n]*(dependency-cruiser|\n)/);
  return `dependency-cruiser does not run on Node ${process.version} (${reason}); npm run setup installs a Node for it, which npm run check takes`;
}

function main() {
  const { modules, violations } = cruise(resolve(process.argv[2] ?? root));
  const complaints = modules < FEWEST_MODULES ? [`only ${modules} modules were seen: the guard is blind`, ...violations] : violations;
  for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
  process.exitCode = complaints.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await reportStops('imports', main);
