import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Milliseconds that `work` takes. */
export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** `part`: 0.99 for the 99th of a hundred. */
export function percentile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** Medians of several works over `rounds` rounds, taken in turn so that a busy machine is unfair to none. */
export async function interleaved(works, rounds) {
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(works)) times[name].push(await timed(work));
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

/** Rows of medians in ms, each as a ratio to the one named `base`. */
export function ratios(medians, base) {
  return Object.entries(medians).map(([name, value]) => ({ name, value, unit: 'ms', ratio: value / medians[base], over: base }));
}

/** Runs a program to its end. */
export async function runToEnd(program, args, options = {}) {
  const child = spawn(program, args, { stdio: 'ignore', ...options });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
}
