import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeModes } from './modes.js';
import { rustSysroot, shareRust } from './rust.js';
import { identities, World } from './world.js';

const hello = 'int puts(const char *);\nint main(void) { puts("hello from c"); return 0; }\n';

/** The packaged policy leaves the network open. */
const NET = `cat >s.pl <<'X'
use IO::Socket::INET; my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or die $!; my $port = $s->sockport;
if (my $child = fork) { my $c = $s->accept; print $c "served\\n"; close $c; waitpid $child, 0; } else { my $c = IO::Socket::INET->new("127.0.0.1:$port") or die $!; print <$c>; }
X
perl s.pl`;

const CRATE = `mkdir src && printf '[package]\\nname = "crate"\\nversion = "1.0.0"\\n' >Cargo.toml &&
echo 'fn main() { println!("hello from rust"); }' >src/main.rs && cargo build --offline --quiet && target/debug/crate`;

const scripts: readonly (readonly [string, string, string])[] = [
  ['git init and commit', 'git init -q . && echo x >f && git add f && git commit -qm first && git log --format=%an:%s', 'Test:first\n'],
  [
    'git branches, worktrees and clones',
    'git init -q a && cd a && git commit -q --allow-empty -m one && git worktree add -q ../b -b side && cd ../b && echo x >f && git add f && git commit -qm two && cd .. && git clone -q a c && git -C c log --format=%s origin/side',
    'two\none\n',
  ],
  [
    'git stash, rebase and bisect',
    'git init -q . && for i in 1 2 3 4; do echo $i >f; git add f; git commit -qm $i; done && echo wip >f && git stash -q && git rebase -q HEAD~2 && git stash pop -q && cat f && git checkout -q f && git bisect start -q HEAD HEAD~3 >/dev/null && git bisect run sh -c "test $(cat f) -lt 3" >/dev/null; git bisect reset -q 2>/dev/null; echo done',
    'wip\ndone\n',
  ],
  ['make', "printf 'all: out\\nout: in\\n\\ttr a-z A-Z <in >out\\n' >Makefile && echo make >in && make -s && cat out", 'MAKE\n'],
  [
    'tar, gzip, find, xargs, sed, awk',
    'mkdir d && echo one >d/a && echo two >d/b && tar czf d.tgz d && rm -r d && tar xzf d.tgz && find d -type f | sort | xargs cat | sed s/o/0/ | awk "{print NR, \\$1}"',
    '1 0ne\n2 tw0\n',
  ],
  [
    'file locks, fifos and signals among its own',
    'mkfifo p; flock l -c "echo in >p" & cat p; wait; sleep 60 & kill $!; wait $! 2>/dev/null; echo $?',
    'in\n143\n',
  ],
  ['a server on a free port, where the network is open', NET, 'served\n'],
  ['gcc and the program it makes', `printf '%s' '${hello}' >h.c && gcc -o h h.c && ./h`, 'hello from c\n'],
  ['pipes', 'printf "b\\na\\n" | sort | tr -d "\\n"', 'ab'],
  ['mktemp', 'f=$(mktemp) && echo in >"$f" && cat "$f" && rm "$f"', 'in\n'],
  ['/dev/null', 'echo gone >/dev/null && cat /dev/null && echo kept', 'kept\n'],
  ['/dev/zero and /dev/urandom', 'head -c 4 /dev/zero | wc -c; head -c 4 /dev/urandom | wc -c', '4\n4\n'],
  ['/dev/stdout', 'echo there >/dev/stdout', 'there\n'],
  ['both outputs, in order', 'echo one; echo two >&2; echo three', 'one\ntwo\nthree\n'],
  ['here-documents', 'cat <<X\nline\nX', 'line\n'],
  ['process substitution', 'bash -c "cat <(echo sub)"', 'sub\n'],
  ['links and moves between directories', 'mkdir a b && echo m >a/f && ln a/f b/g && mv a/f b/f && cat b/f', 'm\n'],
  ['ordinary file modes', 'umask; touch new && stat -c %a new', '0022\n644\n'],
  ['looking up users', 'id -u >/dev/null && getent passwd root | cut -d: -f1', 'root\n'],
];

const sysroot = rustSysroot();
const itWithRust = sysroot === undefined ? it.skip : it;

describe.each(identities)('as %s', (_name, uid) => {
  describeModes('everyday work under the packaged policy', ({ cell }) => describeWork(uid, cell));
});

function describeWork(uid: number, cell: boolean): void {
  let world: World;
  beforeEach(() => (world = new World(uid)));
  afterEach(() => world.remove());

  const run: World['run'] = (argv, change, options) => world.run(argv, { cell, ...change }, options);

  it.each(scripts)('%s', async (_title, script, expected) => {
    const { text, last } = await run(['sh', '-c', script]);
    expect(text).toBe(expected);
    expect(last).toEqual({ type: 'exit', code: 0, left: 0 });
  });

  const programs: readonly (readonly [string, string, string, string])[] = [
    [
      '/usr/bin/npm',
      'npm install of a local package',
      'mkdir lib && echo \'{"name":"lib","version":"1.0.0"}\' >lib/package.json && echo \'{"name":"app"}\' >package.json && npm install --offline --no-audit --no-fund --no-update-notifier --loglevel=error ./lib >/dev/null && node -p \'require("lib/package.json").version\'',
      '1.0.0\n',
    ],
    [
      '/usr/bin/python3',
      'a virtual environment of python',
      "/usr/bin/python3 -m venv --without-pip v && v/bin/python -c 'import sys; print(sys.prefix != sys.base_prefix)'",
      'True\n',
    ],
  ];
  it.each(programs.filter(([program]) => existsSync(program)))('%s: %s', async (_program, _title, script, expected) => {
    expect((await run(['sh', '-c', script])).text).toBe(expected);
  });

  it('runs node', async () => {
    const node = join(world.cwd, 'node');
    copyFileSync(process.execPath, node);
    const script = `const { execFileSync } = require('child_process'); console.log(1 + 1 + String(execFileSync('echo', ['child'])));`;
    expect((await run([node, '-e', script])).text).toBe('2child\n\n');
  });

  const pythons = ['/usr/bin/python3'].filter((program) => existsSync(program));
  it.each([...pythons, ...(pythons.length === 0 ? ['sh'] : [])])('runs %s -c', async (program) => {
    const code = program === 'sh' ? 'echo "$TMPDIR"' : 'import tempfile, socket; print(tempfile.gettempdir())';
    expect((await run([program, '-c', code])).text).toBe(`${world.tmp}\n`);
  });

  itWithRust(
    'cargo builds a crate that needs no other',
    async () => {
      const PATH = `${shareRust(sysroot ?? '', world.home)}:/usr/bin:/bin`;
      const env = { ...world.order(['sh']).env, PATH };
      const { text, last } = await run(['sh', '-c', CRATE], { policy: world.load(), env });
      expect(text).toBe('hello from rust\n');
      expect(last).toEqual({ type: 'exit', code: 0, left: 0 });
    },
    60_000,
  );

  if (cell)
    it('a server of its own, and a client, where the network is off', async () => {
      expect((await run(['sh', '-c', NET], { policy: world.offline() })).text).toBe('served\n');
    });

  it('passes standard input on, to its end', async () => {
    expect((await run(['sh', '-c', 'cat; echo end'], {}, { stdin: 'given ' })).text).toBe('given end\n');
  });

  it('gives an empty standard input when there is none', async () => {
    expect((await run(['sh', '-c', 'cat; echo end'])).text).toBe('end\n');
  });
}
