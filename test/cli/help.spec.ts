import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, type Ended } from '../support/run.js';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }; // our own package.json has one

const ended = (line: string): Promise<Ended> => {
  const [program = '', ...args] = line.split(' ');
  return run(join(root, 'bin', program), args, { env: { PATH: process.env.PATH, HOME: '/nowhere', NAMESPACE: '/nowhere' } });
};

describe('the help of the small programs', () => {
  it.each([
    'ollie-9p --help',
    'ollie-9p -h',
    'ollie-9p help',
    'ollie-9p help read',
    'o --help',
    'o help',
    'o demo --help',
    'o demo -h',
    'o gen --help',
    'o help gen',
    'o scripted --help',
    'o help scripted',
    'o help demo',
    'o mount --help',
    'o umount --help',
    'o help mount',
    'o help umount',
  ])('of `%s` goes to standard output and fits a terminal of 80 columns and 24 lines', async (line) => {
    const { code, stdout, stderr } = await ended(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^usage: /);
    const lines = stdout.split('\n');
    expect(lines.filter((text) => text.length > 80)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(24);
  });

  it.each(['ollie-9p', 'o'])('of %s explains every command, every option and every exit code', async (program) => {
    const { stdout } = await ended(`${program} --help`);
    for (const word of [
      'ls',
      'read',
      'write',
      'rdwr',
      'stat',
      'rm',
      'mv',
      '-a ADDRESS',
      '-A ANAME',
      '-u UNAME',
      '--secret-file FILE',
      '-V',
    ])
      expect(stdout).toMatch(new RegExp(`^ {2}${word}\\b.* {2,}\\S`, 'm'));
    for (const code of [0, 1, 2, 130, 143]) expect(stdout).toMatch(new RegExp(`^Exit code.*\\b${code}\\b`, 'ms'));
  });

  it('of the demo says what it does and which variables choose the model', async () => {
    const { stdout } = await ended('o demo --help');
    expect(stdout).toMatch(/^usage: o demo\n/);
    expect(stdout).toContain('OLLIE_BACKEND');
  });

  it.each(['ollie-9p --version', 'ollie-9p -V', 'o --version', 'o -V'])('`%s` prints the version of this installation', async (line) => {
    expect(await ended(line)).toMatchObject({ code: 0, stdout: `${line.split(' ')[0]} ${version}\n`, stderr: '' });
  });

  it.each([
    ['ollie-9p', 'ollie-9p: no command is given; see ollie-9p --help'],
    ['ollie-9p fly', 'ollie-9p: no such command: fly; see ollie-9p --help'],
    ['ollie-9p --nope', "ollie-9p: unknown option '--nope'; see ollie-9p --help"],
    ['ollie-9p -a', "ollie-9p: option '-a, --address <value>' argument missing; see ollie-9p --help"],
    ['o demo fast', 'o: demo takes nothing, found: fast; see o demo --help'],
    ['o demo --fast', "o: unknown option '--fast'; see o demo --help"],
    ['o mount --nope', "o: unknown option '--nope'; see o mount --help"],
    ['o scripted', 'o: scripted can serve, found: nothing; see o scripted --help'],
    ['o scripted serve', 'o: which script? name one with --script; see o scripted --help'],
    ['o scripted serve --script a.yaml --port 70000', 'o: --port is a whole number up to 65535, found: 70000; see o scripted --help'],
    ['o scripted serve --script a.yaml --nope', "o: unknown option '--nope'; see o scripted --help"],
    ['o umount a b', 'o: one directory is enough, found more: b; see o umount --help'],
  ])('`%s` is 2 and one line that says where help is', async (line, sentence) => {
    expect(await ended(line)).toMatchObject({ code: 2, stdout: '', stderr: `${sentence}\n` });
  });
});
