import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { area, capability, none } from './attempt.js';
import { appeared, changed, fileIsGone, itself, lists, modeOf, tells } from './proofs.js';

export const files = area('files', [
  { name: 'reads a closed file', way: 'read', words: (s) => [s.file('read')], escaped: tells },
  { name: 'reads it with openat2', way: 'openat2', words: (s) => [s.file('openat2')], escaped: tells },
  { name: 'reads it by a relative path', way: 'read', words: (s) => [relative(s.world.cwd, s.file('relative'))], escaped: tells },
  { name: 'reads it through its own root in /proc', way: 'read', words: (s) => [`/proc/self/root${s.file('root')}`], escaped: tells },
  {
    name: 'reads it through its own directory in /proc',
    way: 'read',
    words: (s) => [`/proc/self/cwd/${relative(s.world.cwd, s.file('cwd'))}`],
    escaped: tells,
  },
  { name: 'opens again what it opened as a path only', way: 'reopen', words: (s) => [s.file('reopen')], escaped: tells },
  { name: 'reads below a descriptor of the directory', way: 'below', words: (s) => [s.closed('below'), 'secret'], escaped: tells },
  { name: 'reads from inside the directory', way: 'from-there', words: (s) => [s.closed('there'), 'secret'], escaped: tells },
  {
    name: 'reads by file handle',
    way: 'handle',
    words: (s) => [s.file('handle'), s.world.cwd],
    escaped: tells,
    needs: capability.DAC_READ_SEARCH,
    absent: /not supported/,
  },
  { name: 'reads through io_uring', way: 'ring-open', words: (s) => [s.file('ring')], escaped: tells, absent: /ENOSYS|EPERM/ },
  { name: 'lists a closed directory', way: 'list', words: (s) => [s.closed('list')], escaped: lists },
  { name: 'reads the private TMPDIR of another session', way: 'read', words: (s) => [s.inOtherSession()], escaped: tells },
  { name: 'writes into a closed file', way: 'write', words: (s) => [s.file('write')], escaped: changed('write') },
  { name: 'makes a file in a closed directory', way: 'write', words: (s) => [s.nothing('make')], escaped: appeared('make') },
  {
    name: 'cuts a closed file',
    way: 'cut',
    words: (s) => [s.file('cut')],
    escaped: ({ scene }) => !scene.holds(scene.file('cut'), scene.secret),
  },
  {
    name: 'cuts a file that it may read',
    way: 'cut-by-opening',
    words: (s) => [s.runnable('cut')],
    escaped: ({ scene }) => !scene.holds(scene.runnable('cut'), scene.secret),
  },
  { name: 'removes a closed file', way: 'remove', words: (s) => [s.file('remove')], escaped: fileIsGone('remove') },
  { name: 'makes a closed directory', way: 'make-directory', words: (s) => [s.nothing('mkdir')], escaped: appeared('mkdir') },
  { name: 'makes a fifo in a closed directory', way: 'make-fifo', words: (s) => [s.nothing('fifo')], escaped: appeared('fifo') },
  {
    name: 'removes a closed directory',
    way: 'remove-directory',
    words: (s) => [s.emptyDirectory('rmdir')],
    escaped: (seen) => !appeared('rmdir')(seen),
  },
  { name: 'writes through its standard input, which is for reading', way: 'stdin-write', words: none, escaped: changed('stdin') },
  { name: 'makes a device', way: 'make-node', words: () => ['node'], escaped: itself, needs: capability.MKNOD },
  {
    name: 'makes a program that runs as its owner',
    way: 'special',
    words: () => ['4000', 'as-owner'],
    escaped: ({ scene }) => (modeOf(join(scene.world.cwd, 'as-owner')) & 0o4000) !== 0,
  },
  {
    name: 'makes a program that runs as a group',
    way: 'special',
    words: () => ['2000', 'as-group'],
    escaped: itself,
    by: (uid) => uid === 0,
  },
]);

const METADATA = 'paths that can be seen: their metadata';

export const metadata = area('metadata', [
  {
    name: 'changes the mode of a closed file',
    way: 'mode',
    words: (s) => [s.file('mode')],
    escaped: ({ scene }) => modeOf(scene.file('mode')) === 0o604,
    known: METADATA,
  },
  { name: 'changes the group', way: 'group', words: (s) => [s.file('group')], escaped: itself, known: METADATA },
  {
    name: 'changes the times',
    way: 'times',
    words: (s) => [s.file('times')],
    escaped: ({ scene }) => statSync(scene.file('times')).mtimeMs === 1_000_000,
    known: METADATA,
  },
  {
    name: 'adds an attribute',
    way: 'attribute',
    words: (s) => [s.file('attribute')],
    escaped: itself,
    known: METADATA,
    absent: /not supported/,
  },
  {
    name: 'sets a flag of a file that it may read',
    way: 'flag',
    words: (s) => [s.runnable('flag')],
    escaped: itself,
    known: METADATA,
    absent: /not supported|Inappropriate/,
  },
  {
    name: 'learns the size',
    way: 'size',
    words: (s) => [s.file('size')],
    escaped: ({ answer, scene }) => answer.text === `size ${scene.secret.length}`,
    known: METADATA,
  },
  { name: 'learns names that come up', way: 'notice', words: (s) => [s.busyDirectory], escaped: tells, known: METADATA },
]);
