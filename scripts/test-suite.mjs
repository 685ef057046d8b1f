// node scripts/test-suite.mjs [ROOT]: runs all specs in parts, and ends with one line `N passed, N failed` for all of them.
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Lanes } from './test-lanes.mjs';
import { partsOf } from './test-parts.mjs';

/** More would be in each other's way: many specs start servers and tools. */
const MOST_LANES = 2;

export async function runSuite(root) {
  const lanes = new Lanes(root, createRequire(join(root, 'package.json')).resolve('jest/bin/jest'));
  const { beside, alone } = partsOf(root, await lanes.files());
  const outcomes = [...(await lanes.run(beside, Math.min(MOST_LANES, availableParallelism()))), ...(await lanes.run(alone, 1))];
  const sum = (count) => outcomes.reduce((total, outcome) => total + outcome[count], 0);
  const failed = outcomes.length === 0 ? 1 : sum('failed'); // nothing to run is a failure
  for (const file of new Set(outcomes.flatMap(({ broken }) => broken))) process.stdout.write(`failed: ${file}\n`);
  process.stdout.write(`${sum('passed')} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await runSuite(resolve(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)))));
