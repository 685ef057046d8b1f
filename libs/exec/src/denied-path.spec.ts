import { deniedPath } from './denied-path.js';

describe('the path that a program says it was refused', () => {
  it.each([
    'cat: /a/b: Permission denied',
    "cat: '/a/b': Permission denied",
    'sh: 1: cannot create /a/b: Permission denied',
    '/bin/sh: 12: cannot open /a/b: Permission denied',
    'bash: line 1: /a/b: Permission denied',
    '-bash: /a/b: Permission denied',
    'zsh: permission denied: /a/b',
    "touch: cannot touch '/a/b': Permission denied",
    "cp: cannot create regular file '/a/b': Permission denied",
    "cp: cannot open '/a/b' for reading: Permission denied",
    "mv: cannot move '/c/d' to '/a/b': Permission denied",
    'mkdir: cannot create directory ‘/a/b’: Permission denied',
    "ls: cannot open directory '/a/b': Permission denied",
    'find: ‘/a/b’: Permission denied',
    'tar: /a/b: Cannot open: Permission denied',
    'gcc: error: /a/b: Permission denied',
    '/usr/bin/ld: cannot open output file /a/b: Permission denied',
    '/usr/bin/env: ‘/a/b’: Permission denied',
    "sed: couldn't open temporary file /a/b: Permission denied",
    "python3: can't open file '/a/b': [Errno 13] Permission denied",
    "PermissionError: [Errno 13] Permission denied: '/a/b'",
    "Error: EACCES: permission denied, open '/a/b'",
    "npm error Error: EACCES: permission denied, mkdir '/a/b'",
    'x.rb:1:in read: Permission denied @ rb_sysopen - /a/b',
    'open /a/b: permission denied',
    '2026/11/30 10:00:00 open /a/b: permission denied',
    'fork/exec /a/b: permission denied',
    "fatal: could not create work tree dir '/a/b': Permission denied",
    "fatal: Unable to create '/a/b': Permission denied",
    "warning: unable to access '/a/b': Permission denied",
    'java.io.FileNotFoundException: /a/b (Permission denied)',
    'nginx: [emerg] open() "/a/b" failed (13: Permission denied)',
    '/a/b: permission denied (outside of what the sandbox allows, or by file mode)',
    '/a/b: permission denied: the sandbox policy grants no execute right (rox, rwx) on it or on its interpreter',
  ])('is found in %s', (line) => {
    expect(deniedPath(line)).toEqual({ path: '/a/b', isAbsent: false });
  });

  it.each([
    'cat: /a/b: No such file or directory',
    'sh: 1: cannot create /a/b: Directory nonexistent',
    "python3: can't open file '/a/b': [Errno 2] No such file or directory",
    "Error: ENOENT: no such file or directory, open '/a/b'",
  ])('is told apart when it is only missing, in %s', (line) => {
    expect(deniedPath(line)).toEqual({ path: '/a/b', isAbsent: true });
  });

  it.each([
    ['cat: a b: Permission denied', undefined],
    ['cat: ab: Permission denied', 'ab'],
    ['/bin/sh: 1: ./ab: Permission denied', './ab'],
    ['/bin/sh: 1: ab: Permission denied', 'ab'],
    ['cat: /a b/c: Permission denied', '/a b/c'],
    ["cat: 'a: b': Permission denied", "b'"],
    ['git@host: Permission denied (publickey).', 'git@host'],
    ['Permission denied', undefined],
    ['', undefined],
    ['the text "/a/b: Permission denied" in a log', undefined],
    ['error: could not lock: Permission denied (os error 13)', 'error'],
    [`cat: /${'x'.repeat(5000)}: Permission denied`, undefined],
  ])('in %s is %s', (line, path) => {
    expect(deniedPath(line)?.path).toBe(path);
  });

  it('is looked for without delay in a line that is made to take long', () => {
    const begun = performance.now();
    for (const piece of ['open /', "'", 'a: ', 'cannot a ', '‘', ' /', ': '])
      deniedPath(`${piece.repeat(4000 / piece.length)}: Permission denied`);
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});
