import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePolicy, type ExplainedPolicy } from '#sandbox';
import { denialHints } from './denial-hint.js';

describe('a hint on a denied access', () => {
  let root: string;
  let policy: ExplainedPolicy;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-hint-')));
    for (const name of ['out', 'ro', 'rw', 'rwx', 'config']) mkdirSync(join(root, name));
    for (const name of ['out/file', 'ro/file', 'rw/file', 'rwx/file']) writeFileSync(join(root, name), '', { mode: 0o755 });
    const text = `filesystem: { ro: ['${root}/ro'], rw: ['${root}/rw'], rwx: ['${root}/rwx'], deny: ['${root}/rw/shut'] }\n`;
    policy = parsePolicy(text, 'p', { HOME: root, OLLIE_CFG_PATH: join(root, 'config') });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const hints = (output: string, isCell = false): readonly string[] =>
    denialHints({ output: output.replaceAll('ROOT', root), cwd: join(root, 'rwx'), isCell }, policy).map((hint) =>
      hint.replaceAll(root, 'ROOT'),
    );
  const ALL = 'filesystem.ro would let tools read it, filesystem.rw would let tools write it, filesystem.rox would let tools execute it';

  it.each([
    'cat: ROOT/out/file: Permission denied',
    "cat: 'ROOT/out/file': Permission denied",
    'sh: 1: cannot create ROOT/out/file: Permission denied',
    '/bin/sh: 12: cannot open ROOT/out/file: Permission denied',
    'bash: line 1: ROOT/out/file: Permission denied',
    'bash: ROOT/out/file: Permission denied',
    'sh: 1: ROOT/out/file: Permission denied',
    "touch: cannot touch 'ROOT/out/file': Permission denied",
    "cp: cannot open 'ROOT/out/file' for reading: Permission denied",
    "ls: cannot open directory 'ROOT/out/file': Permission denied",
    "rm: cannot remove 'ROOT/out/file': Permission denied",
    "head: cannot open 'ROOT/out/file' for reading: Permission denied",
    'grep: ROOT/out/file: Permission denied',
    "PermissionError: [Errno 13] Permission denied: 'ROOT/out/file'",
    "Error: EACCES: permission denied, open 'ROOT/out/file'",
    'Permission denied @ rb_sysopen - ROOT/out/file',
    'open ROOT/out/file: permission denied',
    'fork/exec ROOT/out/file: permission denied',
    'ROOT/out/file: permission denied (outside of what the sandbox allows, or by file mode)',
    'x\r\ncat: ROOT/out/file: Permission denied\r',
  ])('is drawn from %j', (output) => {
    expect(hints(output)).toEqual([`[sandbox: ROOT/out/file is not in the policy; ${ALL}]`]);
  });

  it.each([
    '',
    'Permission denied',
    'git@host: Permission denied (publickey).',
    'cat: nowhere: Permission denied',
    'cat: ROOT/out/file: No such file or directory',
    'the text "/etc/x: Permission denied" in a log',
    'error: could not lock: Permission denied (os error 13)',
  ])('is not made up from %j', (output) => {
    expect(hints(output)).toEqual([]);
  });

  it.each([
    ['ro/file', 'ROOT/ro/file is ro in the policy; filesystem.rw would let tools write it, filesystem.rox would let tools execute it'],
    ['rw/file', 'ROOT/rw/file is rw in the policy; filesystem.rwx would let tools execute it'],
    ['ro/new', 'ROOT/ro/new is ro in the policy; filesystem.rw would let tools write it'],
    ['rw/shut/x', 'ROOT/rw/shut/x is closed to tools (closed by p:1: filesystem.deny[0]), whatever the lists say'],
    ['rw', 'ROOT/rw holds ROOT/rw/shut (closed by p:1: filesystem.deny[0]) and is granted only around it'],
    ['out/new', 'ROOT/out/new is not in the policy; filesystem.rw would let tools write it'],
    ['config/x', "ROOT/config/x is closed to tools (Ollie's configuration), whatever the lists say"],
  ])('on %s says what the policy says', (name, clause) => {
    expect(hints(`cat: ROOT/${name}: Permission denied`)).toEqual([`[sandbox: ${clause}]`]);
  });

  it.each([
    ['cat: ROOT/out/file: No such file or directory', 'out/file', ALL],
    ['cat: ../out/file: No such file or directory', 'out/file', ALL],
    ['ROOT/out/file: no such file or directory', 'out/file', ALL],
    ['sh: 1: cannot create ROOT/out/new: Directory nonexistent', 'out/new', 'filesystem.rw would let tools write it'],
    ["touch: cannot touch 'ROOT/out/new': No such file or directory", 'out/new', 'filesystem.rw would let tools write it'],
  ])('in a cell is drawn from %j', (output, path, keys) => {
    expect(hints(output, true)).toEqual([`[sandbox: ROOT/${path} is not in the policy; ${keys}]`]);
    expect(hints(output)).toEqual([]);
  });

  it.each([
    'cat: ROOT/ro/new: No such file or directory',
    'cat: new: No such file or directory',
    'cat: ROOT/none/x: No such file or directory',
  ])('in a cell is not made up from %j: it is not there outside either, or could be seen', (output) =>
    expect(hints(output, true)).toEqual([]),
  );

  it('is drawn from a read-only mount', () => {
    expect(hints("touch: cannot touch 'ROOT/ro/new': Read-only file system", true)).toEqual([
      '[sandbox: ROOT/ro/new is ro in the policy; filesystem.rw would let tools write it]',
    ]);
  });

  it('is not given where the policy allows all, nor where no key would help', () => {
    expect(hints('cat: ROOT/rwx/file: Permission denied')).toEqual([]);
    expect(hints('cat: ROOT/none/deep/file: Permission denied')).toEqual([]);
    chmodSync(join(root, 'rw/file'), 0o644);
    expect(hints('sh: 1: ROOT/rw/file: Permission denied')).toEqual([]);
  });

  it('takes a relative name for what is there in the working directory', () => {
    symlinkSync(join(root, 'out/file'), join(root, 'rwx/link'));
    expect(hints('cat: link: Permission denied')).toEqual([`[sandbox: ROOT/rwx/link (ROOT/out/file) is not in the policy; ${ALL}]`]);
    expect(hints('cat: ./link: Permission denied')).toHaveLength(1);
  });

  it('on a socket names the key that opens it', async () => {
    const server = createServer().listen(join(root, 'rwx/door'));
    await once(server, 'listening');
    expect(hints('nc: ROOT/rwx/door: Permission denied')).toEqual([
      '[sandbox: ROOT/rwx/door is a socket; network.unix would let tools connect to it]',
    ]);
    server.close();
  });

  it('is given once a path, and not for more than three', () => {
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(root, 'out', name), '');
    const line = (name: string): string => `cat: ROOT/out/${name}: Permission denied\n`;
    expect(hints(line('a') + line('a'))).toHaveLength(1);
    expect(hints(['a', 'b', 'c', 'd'].map(line).join(''))).toHaveLength(3);
  });

  it('cannot be made to write control characters', () => {
    writeFileSync(join(root, 'out/\x1b[31m'), '');
    expect(hints('cat: ROOT/out/\x1b[31m: Permission denied').join('')).not.toContain('\x1b');
  });
});
