import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { identities, World } from './world.js';

const hello = 'int puts(const char *);\nint main(void) { puts("hello from c"); return 0; }\n';

const scripts: readonly (readonly [string, string, string])[] = [
  ['git init and commit', 'git init -q . && echo x >f && git add f && git commit -qm first && git log --format=%an:%s', 'Test:first\n'],
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

describe.each(identities)('everyday work as %s under the packaged policy', (_name, uid) => {
  let world: World;
  beforeEach(() => (world = new World(uid)));
  afterEach(() => world.remove());

  it.each(scripts)('%s', async (_title, script, expected) => {
    const { text, last } = await world.run(['sh', '-c', script]);
    expect(text).toBe(expected);
    expect(last).toEqual({ type: 'exit', code: 0, left: 0 });
  });

  it('runs node', async () => {
    const node = join(world.cwd, 'node');
    copyFileSync(process.execPath, node);
    const script = `const { execFileSync } = require('child_process'); console.log(1 + 1 + String(execFileSync('echo', ['child'])));`;
    expect((await world.run([node, '-e', script])).text).toBe('2child\n\n');
  });

  const pythons = ['/usr/bin/python3'].filter((program) => existsSync(program));
  it.each([...pythons, ...(pythons.length === 0 ? ['sh'] : [])])('runs %s -c', async (program) => {
    const code = program === 'sh' ? 'echo "$TMPDIR"' : 'import tempfile, socket; print(tempfile.gettempdir())';
    expect((await world.run([program, '-c', code])).text).toBe(`${world.tmp}\n`);
  });

  it('passes standard input on, to its end', async () => {
    expect((await world.run(['sh', '-c', 'cat; echo end'], {}, { stdin: 'given ' })).text).toBe('given end\n');
  });

  it('gives an empty standard input when there is none', async () => {
    expect((await world.run(['sh', '-c', 'cat; echo end'])).text).toBe('end\n');
  });
});
