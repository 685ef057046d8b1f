import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson, type JsonObject } from '#model';
import { openMode, type Client } from '#ninep';
import { payload, text, ToolBench } from './tool-bench.js';
import { eventually, processesWith } from './toolsrv-process.js';

let bench: ToolBench;
let client: Client;

beforeEach(async () => {
  bench = new ToolBench();
  await bench.start();
  client = await bench.connect();
  await client.writeAll('ctl', 'load a-1 shell\nload a-1 file_read\nload a-1 file_write\nload a-1 file_edit\n');
});
afterEach(() => bench.close());

const read = async (path: string): Promise<string> => text(await client.readAll(path));
const ask = async (path: string, request: string): Promise<string> => text(await client.ask(path, request));

async function call(fields: Readonly<Record<string, string>>): Promise<JsonObject> {
  const result = parseJson(await ask('proc/new', payload(client, fields)));
  if (!isJsonObject(result)) throw new Error('no result');
  return result;
}

const shell = (cmd: string, more: Readonly<Record<string, string>> = {}): Promise<JsonObject> => call({ tool: 'shell', cmd, ...more });
const background = async (cmd: string): Promise<string> => (await ask('proc/new.bg', payload(client, { tool: 'shell', cmd }))).trim();
const output = (result: JsonObject): unknown => parseJson(JSON.stringify(result['content']));
const said = (words: string): unknown => ({ content: [{ type: 'text', text: words }] });

function member(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  if (!isJsonObject(value)) throw new Error(`no object: ${key}`);
  return value;
}

function toolsIn(json: string): readonly JsonObject[] {
  const list = parseJson(json);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

const namesIn = (json: string): unknown => toolsIn(json).map((tool) => tool['name']);

let counter = 0;
const mark = (): string => `87${process.pid}.${(counter += 1)}`;

describe('letting clients in', () => {
  test('the first secret counts, the same secret gets the same token, another gets none', async () => {
    const again = await bench.connect('a-2');
    expect(again.authAnswer).toMatch(/^[0-9a-f]{64}\n?$/);
    expect(again.authAnswer).toBe(client.authAnswer);
    await expect(bench.connect('a-1', 'another')).rejects.toThrow('permission denied: bad secret');
  });

  test('without authentication there is no attach', async () => {
    const { Client: NinepClient } = await import('#ninep');
    const dial = NinepClient.dial({ address: { type: 'unix', path: bench.socket }, uname: 'agent', aname: 'a-1' });
    await expect(dial).rejects.toThrow('permission denied: authentication required');
  });

  test('only agents are let in', async () => {
    const { Client: NinepClient } = await import('#ninep');
    const dial = NinepClient.dial({ address: { type: 'unix', path: bench.socket }, uname: 'root', aname: 'a-1', secret: 'x' });
    await expect(dial).rejects.toThrow('permission denied: not an agent: root');
  });

  test('a call without the token, or with a wrong one, is an error of the file', async () => {
    await expect(ask('proc/new', 'tool=shell\nagent=a-1\ncmd=id\n')).rejects.toThrow('permission denied: bad token');
    await expect(ask('proc/new', `token=${'0'.repeat(64)}\ntool=shell\nagent=a-1\ncmd=id\n`)).rejects.toThrow(
      'permission denied: bad token',
    );
    await expect(ask('proc/new.bg', 'tool=shell\nagent=a-1\ncmd=id\n')).rejects.toThrow('permission denied: bad token');
    expect(await read('proc/list')).toBe('');
  });

  test('--no-auth: nothing to prove, and no Tauth', async () => {
    const open = new ToolBench();
    await open.start({ auth: false });
    await expect(open.connect('a-1', 'secret')).rejects.toThrow('permission denied: no auth required');
    const { Client: NinepClient } = await import('#ninep');
    const free = await NinepClient.dial({ address: { type: 'unix', path: open.socket }, uname: 'x', aname: '' });
    await free.writeAll('ctl', 'load a shell\n');
    expect(text(await free.ask('proc/new', 'tool=shell\nagent=a\ncmd=echo free\n'))).toContain('free');
    free.close();
    await open.close();
  });
});

describe('the tools of agents', () => {
  test('revisions count loads and unloads, and belong to one agent', async () => {
    expect([await ask('tools_rev', 'a-1\n'), await ask('tools_rev', 'a-2\n')]).toEqual(['4\n', '0\n']);
    await client.writeAll('ctl', 'load a-1 shell\n');
    await client.writeAll('ctl', 'unload a-1 shell\n');
    expect(await ask('tools_rev', 'a-1\n')).toBe('6\n');
    expect(await shell('id')).toMatchObject({ ...(said('tool not loaded: shell') as object), isError: true });
    expect(await read('all')).toContain('"name":"shell"');
    await expect(client.writeAll('ctl', 'load a-1 nothing\n')).rejects.toThrow('no such tool: nothing');
  });

  test('two open files ask for two agents without getting mixed up', async () => {
    await client.writeAll('ctl', 'load a-2 shell\n');
    const [one, two] = [await client.open('tools', openMode.readWrite), await client.open('tools', openMode.readWrite)];
    await one.write(0, Buffer.from('a-1\n'));
    await two.write(0, Buffer.from('a-2\n'));
    const names = async (file: typeof one): Promise<unknown> => {
      const parts: Uint8Array[] = [];
      for (let at = 0, part: Uint8Array; (part = await file.read(at, 8192)).length > 0; at += part.length) parts.push(part);
      return namesIn(text(Buffer.concat(parts)));
    };
    expect(await names(one)).toEqual(['file_edit', 'file_read', 'file_write', 'shell']);
    expect(await names(two)).toEqual(['shell']);
    await one.clunk();
    await two.clunk();
  });

  test('the packaged tools are all usable, and each has a schema that names its arguments', async () => {
    const all = await read('all');
    expect([namesIn(all), all.match(/"available":true/g)?.length]).toEqual([
      ['client_9p', 'file_edit', 'file_read', 'file_write', 'shell'],
      5,
    ]);
    const properties = toolsIn(await ask('tools', 'a-1')).map((tool) => Object.keys(member(member(tool, 'inputSchema'), 'properties')));
    expect(properties).toEqual([
      ['file_path', 'old_string', 'new_string', 'replace_all'],
      ['file_path', 'offset', 'limit'],
      ['file_path', 'content'],
      ['cmd', 'stdin'],
    ]);
  });

  test('a tool of the user’s own goes before the packaged one of its name, from the next load on', async () => {
    writeFileSync(join(bench.tools, 'shell.yaml'), 'description: mine\ncommand: echo mine\n');
    expect(output(await shell('echo packaged'))).toEqual([{ type: 'text', text: 'packaged\n' }]);
    await client.writeAll('ctl', 'load a-1 shell\n');
    expect(output(await shell('echo packaged'))).toEqual([{ type: 'text', text: 'mine\n' }]);
  });
});

describe('running a tool', () => {
  test('answers with the result that the contract shows', async () => {
    expect(await ask('proc/new', payload(client, { tool: 'shell', cmd: 'echo hi' }))).toBe(
      '{"content":[{"type":"text","text":"hi\\n"}],"isError":false,"exitCode":0,"sandbox":"full"}\n',
    );
  });

  test('exactly backslash and newline are escaped on the way', async () => {
    const token = client.authAnswer?.trim();
    const answer = await ask('proc/new', `token=${token}\ntool=shell\nagent=a-1\ncmd=printf "a\\\\nb"\\nprintf '\\t'\n`);
    expect(JSON.parse(answer)).toMatchObject(said('a\nb\t') as object);
  });

  test('both seed forms are one call', async () => {
    const result = await call({ tool: 'shell', cmd: 'echo once', args: '{"cmd":"echo once"}' });
    expect(output(result)).toEqual([{ type: 'text', text: 'once\n' }]);
  });

  test('a payload that is none is an error of the file, naming the line', async () => {
    await expect(ask('proc/new', `token=${client.authAnswer?.trim()}\nnonsense\n`)).rejects.toThrow('illegal argument: bad payload line 2');
  });

  test('fails with the exit code and the output', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toMatchObject({
      ...(said('execution failed: exit 3\nout\nerr\n') as object),
      isError: true,
      exitCode: 3,
    });
  });

  test('ends a call that takes too long, with all that it started', async () => {
    const time = mark();
    const result = await shell(`echo begun; setsid sleep ${time} & sleep ${time}`, { timeout: '1' });
    expect(result).toMatchObject({ ...(said('execution timeout after 1 seconds\nbegun\n') as object), isError: true });
    expect(processesWith(`sleep\0${time}`)).toBe(0);
  });

  test('a clunk ends the whole tree of the call', async () => {
    const time = mark();
    const file = await client.open('proc/new', openMode.readWrite);
    await file.write(0, Buffer.from(payload(client, { tool: 'shell', cmd: `setsid sleep ${time} & sleep ${time}` })));
    const reading = file.read(0, 1000).catch((error: unknown) => String(error));
    await eventually(() => processesWith(`sleep\0${time}`) === 2);
    await file.clunk();
    expect(await reading).toContain('interrupted');
    await eventually(() => processesWith(`sleep\0${time}`) === 0);
    await eventually(async () => (await read('proc/list')) === '1\texited\tshell\n');
  });

  test('a hang-up ends it too', async () => {
    const time = mark();
    const other = await bench.connect();
    other.ask('proc/new', payload(other, { tool: 'shell', cmd: `sleep ${time}` })).catch(() => 'gone');
    await eventually(() => processesWith(`sleep\0${time}`) === 1);
    other.close();
    await eventually(() => processesWith(`sleep\0${time}`) === 0);
    await eventually(async () => (await read('proc/list')).includes('exited'));
    expect(await read('proc/1/wait')).toBe('143\n');
  });

  test('does not wait for what it left behind, and says that this has ended', async () => {
    const time = mark();
    const result = await shell(`sleep ${time} & echo up`);
    expect(output(result)).toEqual([
      { type: 'text', text: expect.stringMatching(/^up\n\n\[processes that were still running .*: 1\]\n$/) },
    ]);
    expect(processesWith(`sleep\0${time}`)).toBe(0);
  });

  test('many at once get each their own answer', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, (_, i) => shell(`echo ${i}`)));
    expect(all.map((result) => output(result))).toEqual(Array.from({ length: 12 }, (_, i) => [{ type: 'text', text: `${i}\n` }]));
  });

  test('a long output is cut for the model, and out has all of it', async () => {
    const result = await shell('head -c 1048576 /dev/zero | tr "\\0" a');
    const words = JSON.stringify(result['content']);
    expect(words.length).toBeLessThan(33 * 1024);
    expect(words).toContain('of 1048576 bytes left out; proc/1/out has all');
    expect((await client.readAll('proc/1/out')).length).toBe(1_048_576);
    expect((await client.stat('proc/1/out')).length).toBe(1_048_576);
  });

  test('a flood stops growing at 10 MiB, with the line that says so', async () => {
    await shell('head -c 30000000 /dev/zero');
    const out = await client.readAll('proc/1/out');
    expect(text(out.subarray(10 * 1024 * 1024))).toBe('\n[output truncated at 10485760 bytes]\n');
    expect(await read('proc/1/stat')).toContain('outbytes=30000000\n');
  });

  test('a tool may answer with an image', async () => {
    writeFileSync(join(bench.project, 'picture'), Buffer.from('89504e470d0a1a0a', 'hex'));
    const result = await call({ tool: 'file_read', file_path: 'picture' });
    expect(result['content']).toContainEqual({ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' });
  });

  test('the directory of a call is its own, and must exist', async () => {
    expect(output(await shell('pwd', { cwd: '/usr' }))).toEqual([{ type: 'text', text: '/usr\n' }]);
    expect(output(await shell('pwd'))).toEqual([{ type: 'text', text: `${bench.project}\n` }]);
    expect(await shell('pwd', { cwd: '/nowhere' })).toMatchObject({ ...(said('no such directory: /nowhere') as object), isError: true });
  });

  test('a directory that goes between two calls is missed, and found again when it is back', async () => {
    const cwd = join(bench.project, 'comes-and-goes');
    const missing = { ...(said(`no such directory: ${cwd}`) as object), isError: true };
    for (let round = 0; round < 3; round += 1) {
      mkdirSync(cwd);
      expect(await shell('pwd', { cwd })).toMatchObject({ isError: false });
      expect(await shell('pwd', { cwd })).toMatchObject({ isError: false });
      rmSync(cwd, { recursive: true });
      expect(await shell('echo ran', { cwd })).toMatchObject(missing);
      expect(await shell('echo ran', { cwd })).toMatchObject(missing);
    }
    writeFileSync(cwd, '');
    expect(await shell('echo ran', { cwd })).toMatchObject(missing);
  });

  test('metadata commands, interpreters and executables all run', async () => {
    const put = (name: string, content: string, mode = 0o644): void => {
      writeFileSync(join(bench.tools, name), content);
      chmodSync(join(bench.tools, name), mode);
    };
    put('line.yaml', 'description: x\ncommand: echo "line $OLLIE_ARG_A"\n');
    put('list.yaml', 'description: x\ncommand: [cat]\n');
    put('script.yaml', 'description: x\ninterpreter: sh\n');
    put('script.txt', 'echo "script $0"\n');
    put('direct.yaml', 'description: x\npass: argv\ninput: {type: object, properties: {b: {type: integer}, a: {type: string}}}\n');
    put('direct.sh', '#!/bin/sh\necho "$@"\n', 0o755);
    for (const name of ['line', 'list', 'script', 'direct']) await client.writeAll('ctl', `load a-1 ${name}\n`);
    const says = async (tool: string): Promise<unknown> => output(await call({ tool, a: 'x y', b: '5' }));
    expect(await says('line')).toEqual([{ type: 'text', text: 'line x y\n' }]);
    expect(await says('list')).toEqual([{ type: 'text', text: '{"a":"x y","b":"5"}\n' }]);
    expect(await says('script')).toEqual([{ type: 'text', text: `script ${bench.tools}/script.txt\n` }]);
    expect(await says('direct')).toEqual([{ type: 'text', text: '5 x y\n' }]);
  });
});

describe('processes', () => {
  test('a background call gives its number at once; wait waits, and answers again', async () => {
    const begin = performance.now();
    const pid = await background('sleep 1; exit 5');
    expect(performance.now() - begin).toBeLessThan(4000);
    expect([pid, await read('proc/list')]).toEqual(['1', '1\trunning\tshell\n']);
    expect([await read('proc/1/wait'), await read('proc/1/wait')]).toEqual(['5\n', '5\n']);
    expect(await ask('proc/list', 'a-1\n')).toBe('1\texited\tshell\n');
    expect(await ask('proc/list', 'a-2\n')).toBe('');
  });

  test('out grows while it runs', async () => {
    await background('echo one; while [ ! -e go ]; do sleep 0.05; done; echo two');
    await eventually(async () => (await read('proc/1/out')) === 'one\n');
    expect((await client.stat('proc/1/out')).length).toBe(4);
    writeFileSync(join(bench.project, 'go'), '');
    expect(await read('proc/1/wait')).toBe('0\n');
    expect(await read('proc/1/out')).toBe('one\ntwo\n');
  });

  test.each([
    ['signal 15', '143\n'],
    ['signal USR1', '138\n'],
    ['term', '143\n'],
    ['kill', '137\n'],
  ])('%s ends with %j', async (line, code) => {
    await background('exec sleep 60');
    await eventually(async () => /ospid=\d/.test(await read('proc/1/stat')));
    await client.writeAll('proc/1/ctl', `${line}\n`);
    expect(await read('proc/1/wait')).toBe(code);
    await expect(client.writeAll('proc/1/ctl', 'signal 15\n')).rejects.toThrow('no such process: 1');
  });

  test('a running process cannot be dismissed; an exited one is gone from the directory', async () => {
    await background('sleep 60');
    await expect(client.writeAll('proc/1/ctl', 'dismiss\n')).rejects.toThrow('process is busy: still running');
    await client.writeAll('proc/1/ctl', 'kill\n');
    await read('proc/1/wait');
    await client.writeAll('proc/1/ctl', 'dismiss\n');
    expect((await client.list('proc')).map((entry) => entry.name)).toEqual(['list', 'new', 'new.bg']);
    await expect(client.readAll('proc/1/out')).rejects.toThrow('file does not exist');
  });

  test('background outlives its client', async () => {
    const other = await bench.connect();
    const pid = text(await other.ask('proc/new.bg', payload(other, { tool: 'shell', cmd: 'sleep 0.5; echo still here' }))).trim();
    other.close();
    await read(`proc/${pid}/wait`);
    expect(await read(`proc/${pid}/out`)).toBe('still here\n');
  });

  test('a tool that is not meant for it does not run in the background', async () => {
    await expect(ask('proc/new.bg', payload(client, { tool: 'file_read', file_path: 'x' }))).rejects.toThrow(
      'illegal argument: tool cannot run in background',
    );
  });
});

describe('the shell tool', () => {
  test('has an empty input, or the one that it is given', async () => {
    expect(output(await shell('cat; echo end'))).toEqual([{ type: 'text', text: 'end\n' }]);
    expect(output(await shell('cat', { stdin: 'line\n$x "y"' }))).toEqual([{ type: 'text', text: 'line\n$x "y"' }]);
    expect(await shell('cat >/dev/null; exit 6', { stdin: 'x' })).toMatchObject({ exitCode: 6 });
  });

  test('takes commands and inputs of any length', async () => {
    const long = 'x'.repeat(200_000);
    expect(output(await shell(`cat <<END | wc -c\n${long}\nEND`))).toEqual([{ type: 'text', text: '200001\n' }]);
    expect(output(await shell('wc -c', { stdin: long }))).toEqual([{ type: 'text', text: '200000\n' }]);
    expect(output(await shell('ls -A "$TMPDIR" | wc -l'))).toEqual([{ type: 'text', text: '0\n' }]);
  });

  test('passes none of its own variables on, and has no terminal', async () => {
    const [part] = output(await shell('env | grep OLLIE_ARG; echo "$TERM $PAGER"; tty')) as readonly { readonly text: string }[];
    expect(part?.text).toBe('execution failed: exit 1\ndumb cat\nnot a tty\n');
  });

  test('pipes, here-documents, git, node and temporary files work', async () => {
    const script = [
      'set -euo pipefail', 'git init -q . 2>&1', 'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x',
      'f=$(mktemp)', 'echo 1 > "$f"; test "$(stat -c %a "$TMPDIR")" = 700', 'node -e "console.log(6*7)"', 'echo quiet >/dev/null', 'git log --oneline | wc -l',
    ]; // prettier-ignore
    expect(output(await shell(script.join('\n')))).toEqual([{ type: 'text', text: '42\n1\n' }]);
  });

  test('cannot write outside of what is granted, nor read the keys of the user', async () => {
    expect(await shell('touch /etc/ollie-was-here')).toMatchObject({ isError: true });
    expect(existsSync('/etc/ollie-was-here')).toBe(false);
    writeFileSync(join(bench.home, 'private'), 'secret words');
    const refused = JSON.stringify(await shell('cat ../private'));
    expect(refused).toContain('No such file or directory');
    expect(refused).toContain(`[sandbox: ${bench.home}/private is not in the policy; filesystem.ro would let tools read it`);
  });
});

describe('the file tools, in the sandbox', () => {
  test('write, read and edit a file of the project', async () => {
    expect(output(await call({ tool: 'file_write', file_path: 'src/a.txt', content: 'one\ntwo\n' }))).toEqual([
      { type: 'text', text: `created ${bench.project}/src/a.txt: 2 lines, 8 bytes\n` },
    ]);
    expect(await call({ tool: 'file_edit', file_path: 'src/a.txt', old_string: 'two', new_string: '2' })).toMatchObject({ isError: false });
    expect(output(await call({ tool: 'file_read', file_path: 'src/a.txt', offset: '2' }))).toEqual([{ type: 'text', text: '2  2\n' }]);
  });

  test('reach no file outside, and say why', async () => {
    const result = await call({ tool: 'file_write', file_path: join(bench.home, 'outside'), content: 'x' });
    const refused = `${bench.home}/outside: read-only file system (outside of what the sandbox lets tools write, or so mounted)`;
    const hint = `[sandbox: ${bench.home}/outside is not in the policy; filesystem.rw would let tools write it]`;
    const why = `execution failed: exit 1\n${refused}\n${hint}\n`;
    expect(result).toMatchObject({ ...(said(why) as object), isError: true });
  });

  test('an argument of the wrong kind is refused before anything runs', async () => {
    expect(await call({ tool: 'file_read', file_path: 'x', offset: 'first' })).toMatchObject(
      said('invalid arguments: /offset must be integer') as object,
    );
    expect(await call({ tool: 'file_read', path: 'x' })).toMatchObject(said('invalid arguments: /file_path is required') as object);
  });
});
