import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#config';
import { area, capability } from './attempt.js';
import { appeared, changed, itself, tells } from './proofs.js';

export const replacement = area('programs and policies', [
  {
    name: 'writes into a program that it may run',
    way: 'write',
    words: (s) => [s.runnable('written')],
    escaped: ({ scene }) => scene.holds(scene.runnable('written'), 'changed'),
  },
  {
    name: 'moves a program of its own over it',
    way: 'move-out',
    words: (s) => [s.runnable('moved')],
    escaped: ({ scene }) => scene.holds(scene.runnable('moved'), 'changed'),
  },
  {
    name: 'removes it',
    way: 'remove',
    words: (s) => [s.runnable('removed')],
    escaped: ({ scene }) => !existsSync(join(scene.world.root, 'runnable/removed')),
  },
  { name: "writes into the user's policy", way: 'write', words: (s) => [s.file('policy')], escaped: changed('policy') },
  { name: 'adds a policy', way: 'move-out', words: (s) => [s.nothing('policies')], escaped: appeared('policies') },
  {
    name: 'opens the packaged policy for writing, from the directory of the installation',
    way: 'open-for-write',
    words: () => [join(packageRoot(), 'config/sandbox.yaml')],
    escaped: itself,
    setting: 'checkout',
    needs: capability.DAC_OVERRIDE,
  },
  {
    name: 'opens the helper for writing, from there',
    way: 'open-for-write',
    words: () => [join(packageRoot(), 'native/build/ollie-sandbox')],
    escaped: itself,
    setting: 'checkout',
    needs: capability.DAC_OVERRIDE,
    absent: /Text file busy/,
  },
  { name: 'runs a closed program', way: 'run', words: (s) => [s.closedProgram('run')], escaped: tells },
  { name: 'runs a program that it may only read', way: 'run', words: (s) => [s.readableProgram('echo'), 'has-run'], escaped: hasRun },
  {
    name: 'has the loader run a program that it may only read',
    way: 'run-by-loader',
    words: (s) => [s.readableProgram('echo'), 'has-run'],
    escaped: hasRun,
    known: 'running a readable file through ld.so',
  },
  { name: 'runs from memory, to read a closed file', way: 'run-from-memory', words: (s) => [s.file('memory')], escaped: tells },
  {
    name: 'runs a program that runs as root, to read what only root may',
    way: 'run-as-owner',
    words: (s) => s.filesOfRoot(),
    escaped: tells,
    by: (uid) => uid !== 0 && process.getuid?.() === 0,
  },
]);

function hasRun({ answer }: { readonly answer: { readonly text: string } }): boolean {
  return answer.text.includes('has-run');
}
