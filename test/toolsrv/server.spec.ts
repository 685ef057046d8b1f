import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '#ninep';
import { eventually, processesWith, ToolsrvProcess } from './toolsrv-process.js';

let folder: string;
let socket: string;
const started: ToolsrvProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolsrv-'));
  socket = join(folder, 'socket');
  mkdirSync(join(folder, 'home'));
  mkdirSync(join(folder, 'project'));
});

afterEach(async () => {
  for (const server of started.splice(0)) {
    server.child.kill('SIGKILL');
    await server.ended;
  }
  rmSync(folder, { recursive: true });
});

async function serve(...more: readonly string[]): Promise<ToolsrvProcess> {
  const server = await ToolsrvProcess.serve(folder, ...more);
  started.push(server);
  return server;
}

function connect(secret?: string): Promise<Client> {
  return Client.dial({ address: { type: 'unix', path: socket }, uname: 'agent', aname: 'a-1', ...(secret !== undefined && { secret }) });
}

/** A sleep that can be told from every other: its time in seconds. */
let counter = 0;
const mark = (): string => `86${process.pid}.${(counter += 1)}`;

/** Begins a call that sleeps, and resolves once the sleep is there. */
async function callSleep(client: Client, time: string): Promise<void> {
  await client.writeAll('ctl', 'load a-1 shell\n');
  const token = client.authAnswer === undefined ? '' : `token=${client.authAnswer.trim()}\n`;
  client.ask('proc/new', `${token}tool=shell\nagent=a-1\ncmd=setsid sleep ${time} & sleep ${time}\n`).catch(() => 'the server is gone');
  await eventually(() => processesWith(`sleep\0${time}`) === 2);
}

describe('toolsrv serve', () => {
  test('says where it listens and nothing else; the socket is the user’s alone', async () => {
    const server = await serve('--no-auth');
    expect(server.stdout).toBe(`toolsrv: listening on unix!${socket}\n`);
    expect(statSync(socket).mode & 0o777).toBe(0o600);
  });

  test('at a signal closes, kills all processes, removes the socket and ends with 0', async () => {
    const server = await serve('--no-auth');
    const time = mark();
    const client = await connect();
    await callSleep(client, time);
    const told = join(folder, 'project/told');
    await client.ask(
      'proc/new.bg',
      `tool=shell\nagent=a-1\ncmd=trap "touch ${told}; exit" TERM; touch ${told}.ready; while :; do sleep 0.05; done\n`,
    );
    await eventually(() => existsSync(`${told}.ready`));
    expect(readdirSync(join(folder, 'tmp'))).toHaveLength(1);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(existsSync(told)).toBe(true);
    expect([existsSync(socket), processesWith(`sleep\0${time}`), readdirSync(join(folder, 'tmp'))]).toEqual([false, 0, []]);
    expect(server.stderr).not.toContain('shutdown:');
  });

  test('killed in the middle of a call, leaves no process of it', async () => {
    const server = await serve('--no-auth');
    const time = mark();
    await callSleep(await connect(), time);
    server.child.kill('SIGKILL');
    expect(await server.ended).toBeNull();
    await eventually(() => processesWith(`sleep\0${time}`) === 0);
  });

  test('takes over the socket of a server that is gone, and not one that answers', async () => {
    const dead = createServer().listen(socket);
    await new Promise((resolve) => dead.once('listening', resolve));
    const second = ToolsrvProcess.run(['serve', '--listen', socket, '--no-auth'], folder);
    expect([await second.ended, second.stderr.split('\n').length]).toEqual([1, 2]);
    expect(second.stderr).toContain(socket);
    expect(existsSync(socket)).toBe(true);
    await new Promise((resolve) => dead.close(resolve));
    const killed = await serve('--no-auth');
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(existsSync(socket)).toBe(true);
    await serve('--no-auth');
    (await connect()).close();
  });

  test('--yolo warns in one line and runs without a sandbox', async () => {
    const server = await serve('--no-auth', '--yolo');
    expect(server.stderr.split('\n').filter((line) => line.includes('yolo'))).toEqual([expect.stringContaining('warn')]);
    const client = await connect();
    await client.writeAll('ctl', 'load a-1 shell\n');
    const result = Buffer.from(
      await client.ask('proc/new', `tool=shell\nagent=a-1\ncmd=echo free > '${folder}/home/file' && echo done\n`),
    ).toString();
    expect(JSON.parse(result)).toMatchObject({ content: [{ text: 'done\n' }], isError: false, sandbox: 'none' });
    expect(Buffer.from(await client.readAll('info')).toString()).toContain('sandbox=none\n');
    client.close();
  });

  test('with an idle timeout ends after the last client, but never while a process runs', async () => {
    const server = await serve('--no-auth', '--idle-timeout', '300ms');
    const client = await connect();
    await client.writeAll('ctl', 'load a-1 shell\n');
    await client.ask('proc/new.bg', 'tool=shell\nagent=a-1\ncmd=sleep 1.5\n');
    client.close();
    await sleep(900);
    expect(server.child.exitCode).toBeNull();
    expect(await server.ended).toBe(0);
    expect(server.stderr).toContain('ending: idle');
  });

  test('with a secret from its owner knows no first client, and ends with the owner and all that runs', async () => {
    const server = ToolsrvProcess.run(['serve', '--listen', socket, '--secret-fd', '3', '--cwd', join(folder, 'project')], folder);
    started.push(server);
    server.owner.write(`${'5'.repeat(64)}\n`);
    await eventually(() => server.stdout.includes('listening'));
    await expect(connect('first')).rejects.toThrow('permission denied: bad secret');
    const client = await connect('5'.repeat(64));
    const time = mark();
    await callSleep(client, time);
    server.owner.end();
    expect(await server.ended).toBe(0);
    expect([existsSync(socket), processesWith(`sleep\0${time}`)]).toEqual([false, 0]);
  });

  test('tools see nothing of the secret, the token or the server’s environment', async () => {
    const server = ToolsrvProcess.run(['serve', '--listen', socket, '--secret-fd', '3', '--cwd', join(folder, 'project')], folder);
    started.push(server);
    server.owner.write('very-secret\n');
    await eventually(() => server.stdout.includes('listening'));
    const client = await connect('very-secret');
    const token = client.authAnswer?.trim() ?? '';
    await client.writeAll('ctl', 'load a-1 shell\n');
    const cmd = 'env; cat /proc/$PPID/environ /proc/$PPID/cmdline /proc/*/cmdline; ls -l /proc/self/fd | wc -l';
    const answer = Buffer.from(await client.ask('proc/new', `token=${token}\ntool=shell\nagent=a-1\ncmd=${cmd}\n`)).toString();
    expect(answer).toContain('OLLIE_AGENT_ID=a-1');
    expect(answer).not.toContain('very-secret');
    expect(answer).not.toContain(token);
    expect(answer).not.toContain('npm_');
    client.close();
  });
});

describe('the command line of toolsrv', () => {
  test.each([
    [[]],
    [['serve']],
    [['serve', '--listen']],
    [['serve', '--listen', 'x', '--bogus']],
    [['bogus']],
    [['serve', '--listen', 'x', '--idle-timeout', 'soon']],
    [['serve', '--listen', 'x', '--bypass-timeout', '0']],
    [['serve', '--listen', 'x', '--bypass-timeout', '25h']],
    [['serve', '--listen', 'x', '--observer-secret-file', 'nowhere']],
  ])('%j is a usage error: 2, and stderr says why', async (args) => {
    const run = ToolsrvProcess.run(args, folder);
    expect(await run.ended).toBe(2);
    expect([run.stderr.length > 0, run.stdout]).toEqual([true, '']);
  });

  test('help lists the flags of the contract and the marked additions', async () => {
    const run = ToolsrvProcess.run(['serve', '--help'], folder);
    expect(await run.ended).toBe(0);
    const flags = run.stdout.match(/^ {2}(--[a-z-]+)/gm)?.map((flag) => flag.trim());
    const additions = ['--secret-fd', '--observer-secret-file', '--bypass-timeout', '--last-process', '--log'];
    expect(flags).toEqual(['--cwd', '--listen', '--yolo', '--no-auth', '--idle-timeout', ...additions]);
    expect(run.stdout.match(/^ {2}--\S+ <\w+> +addition:/gm)?.map((line) => line.trim().split(' ')[0])).toEqual(additions);
  });

  test('an address that cannot be bound is one sentence and 1', async () => {
    writeFileSync(join(folder, 'file'), '');
    const run = ToolsrvProcess.run(['serve', '--listen', join(folder, 'file/socket')], folder);
    expect([await run.ended, run.stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(run.stderr).toContain(join(folder, 'file/socket'));
  });
});
