import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, type Ended } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

/** No directory is closed to root, so a root that tests becomes nobody. */
const UNPRIVILEGED = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }; // our own package.json has one

describe('the command line of a server', () => {
  let tree: TempTree;
  beforeAll(() => {
    tree = new TempTree({ file: '', 'closed/file': '' });
    chmodSync(tree.path('closed'), 0o600);
    chmodSync(tree.root, 0o777);
  });
  afterAll(() => tree.remove());

  function ended(program: string, args: readonly string[], before: readonly string[] = []): Promise<Ended> {
    const [command = '', ...words] = [...before, join(root, 'bin', program), ...args];
    const env = { PATH: process.env.PATH, HOME: tree.root, NAMESPACE: tree.path('ns'), OLLIE_DATA_PATH: tree.path('data') };
    return run(command, words, { cwd: tree.root, env });
  }

  it.each([
    ['olliesrv', ['--nope'], "unknown option '--nope'; see olliesrv --help"],
    ['olliesrv', ['nope'], "unknown command 'nope'; see olliesrv --help"],
    ['olliesrv', ['serve', '--nope'], "unknown option '--nope'; see olliesrv serve --help"],
    ['olliesrv', ['fgstart', '--nope'], "unknown option '--nope'; see olliesrv serve --help"],
    ['olliesrv', ['serve', '--lisen', 'x'], "unknown option '--lisen' (Did you mean --listen?); see olliesrv serve --help"],
    ['olliesrv', ['serve', '--log'], "option '--log <level>' argument missing; see olliesrv serve --help"],
    ['olliesrv', ['serve', 'a'], "too many arguments for 'serve'. Expected 0 arguments but got 1; see olliesrv serve --help"],
    ['olliesrv', ['start', '--nope'], "unknown option '--nope'; see olliesrv serve --help"],
    ['olliesrv', ['stop', 'a'], "too many arguments for 'stop'. Expected 0 arguments but got 1; see olliesrv stop --help"],
    ['olliesrv', ['status', '-l'], "option '-l, --listen <address>' argument missing; see olliesrv status --help"],
    ['toolsrv', ['--nope'], "unknown option '--nope'; see toolsrv --help"],
    ['toolsrv', ['nope'], "unknown command 'nope'; see toolsrv --help"],
    ['toolsrv', ['serve', '--listen', 's', '--nope'], "unknown option '--nope'; see toolsrv serve --help"],
    ['toolsrv', ['serve'], "required option '--listen <socket>' not specified; see toolsrv serve --help"],
    ['toolsrv', ['serve', '--cwd'], "option '--cwd <path>' argument missing; see toolsrv serve --help"],
    [
      'toolsrv',
      ['serve', '--listen', 's', 'a'],
      "too many arguments for 'serve'. Expected 0 arguments but got 1; see toolsrv serve --help",
    ],
  ])('%s answers %j with one line that says where help is, and 2', async (program, args, sentence) => {
    expect(await ended(program, args)).toMatchObject({ code: 2, stdout: '', stderr: `${program}: ${sentence}\n` });
  });

  it.each(['--version', '-V'])('both say their version when %s is asked for', async (flag) => {
    for (const program of ['olliesrv', 'toolsrv'])
      expect(await ended(program, [flag])).toMatchObject({ code: 0, stdout: `${program} ${version}\n`, stderr: '' });
  });

  it.each(['olliesrv', 'toolsrv'])('%s alone shows its usage as an error', async (program) => {
    const { code, stdout, stderr } = await ended(program, []);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^Usage: ${program} `));
  });

  it.each([
    ['/nope', 'no such directory: /nope'],
    ['gone/below', 'no such directory: ROOT/gone/below'],
    ['~/gone', 'no such directory: ROOT/gone'],
    ['file', 'not a directory: ROOT/file'],
    ['file/below', 'no such directory: ROOT/file/below'],
    ['closed', 'permission denied: ROOT/closed'],
    ['closed/below', 'permission denied: ROOT/closed/below'],
  ])('toolsrv refuses --cwd %s with one sentence before it listens', async (cwd, sentence) => {
    const { code, stdout, stderr } = await ended('toolsrv', ['serve', '--listen', tree.path('socket'), '--cwd', cwd], UNPRIVILEGED);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `toolsrv: --cwd: ${sentence.replace('ROOT', tree.root)}\n` });
  });
});
