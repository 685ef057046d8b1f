import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { area } from './attempt.js';
import { appeared, tells } from './proofs.js';

export const links = area('links and moves', [
  { name: 'reads through a symbolic link', way: 'soft-link', words: (s) => [s.file('soft')], escaped: tells },
  {
    name: 'reads through a symbolic link to the directory',
    way: 'soft-directory',
    words: (s) => [s.closed('softs'), 'secret'],
    escaped: tells,
  },
  { name: 'reads through links that turn', way: 'flip', words: (s) => [s.file('flip')], escaped: tells },
  { name: 'makes a hard link', way: 'hard-link', words: (s) => [s.file('hard')], escaped: tells },
  { name: 'makes a hard link of a descriptor', way: 'hard-link-of-descriptor', words: (s) => [s.file('harder')], escaped: tells },
  {
    name: 'makes a hard link of an empty path',
    way: 'hard-link-of-nothing',
    words: (s) => [s.file('hardest')],
    escaped: tells,
    absent: /No such file/,
  },
  {
    name: 'writes by a hard link into a file that it may read',
    way: 'write-by-link',
    words: (s) => [s.runnable('linked')],
    escaped: ({ scene }) => scene.holds(scene.runnable('linked'), 'changed'),
  },
  { name: 'moves a closed file to itself', way: 'move-in', words: (s) => [s.file('move')], escaped: tells },
  { name: 'moves a closed directory to itself', way: 'move-directory-in', words: (s) => [s.closed('moves'), 'secret'], escaped: tells },
  {
    name: 'exchanges a closed directory with its own',
    way: 'exchange',
    words: (s) => [s.closed('exchange')],
    escaped: ({ scene }) => existsSync(join(scene.world.cwd, 'other/secret')),
  },
  { name: 'moves a file of its own out', way: 'move-out', words: (s) => [s.nothing('out')], escaped: appeared('out') },
  { name: 'makes a hard link of its own file outside', way: 'link-out', words: (s) => [s.nothing('link')], escaped: appeared('link') },
  { name: 'makes a symbolic link outside', way: 'soft-link-out', words: (s) => [s.nothing('soft-out')], escaped: appeared('soft-out') },
  {
    name: 'turns a granted path into a link between two calls',
    way: 'read',
    before: (s) => ['replace', join(s.world.cwd, 'part'), s.closed('replace')],
    words: (s) => [join(s.world.cwd, 'part/secret')],
    setting: 'twice',
    escaped: tells,
  },
]);
