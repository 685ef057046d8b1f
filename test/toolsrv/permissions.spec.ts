import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson, type JsonObject } from '#model';
import type { Client } from '#ninep';
import { answer, BypassWorld, next, outcome, reading, said } from './bypass-world.js';
import { payload, text } from './tool-bench.js';
import { eventually, type ToolsrvProcess } from './toolsrv-process.js';

jest.setTimeout(60_000);

const WHY = 'delete-repository: it deletes a repository with all history that was not pushed';
const RULES = `
guard: { delete-repository: allow }
rules:
  - id: no-publish
    verdict: deny
    why: releases are made elsewhere
    when: { program: npm, subcommand: publish }
    examples: [npm publish]
    counter-examples: [npm pack]
  - id: plans
    verdict: ask
    why: plans belong to a person
    when: { tool: 'file_*', inside: '{CWD}/plans' }
    examples: [{ tool: file_write, args: { file_path: plans/a, content: x } }]
    counter-examples: [{ tool: file_write, args: { file_path: a, content: plans/a } }]
`;

let world: BypassWorld;
beforeEach(() => {
  world = new BypassWorld();
  mkdirSync(join(world.project, '.git'));
});
afterEach(() => world.destroy());

const rules = (yaml: string): void => writeFileSync(join(world.folder, 'config/permissions.yaml'), yaml);
const repository = (): boolean => existsSync(join(world.project, '.git'));
const DELETE = { tool: 'shell', cmd: 'rm -rf .git && echo gone' };

async function call(agent: Client, fields: Readonly<Record<string, string>>): Promise<JsonObject> {
  const result = parseJson(text(await agent.ask('proc/new', payload(agent, fields))));
  if (!isJsonObject(result)) throw new Error('no object');
  return result;
}

/** What the log says of questions, one object each. */
const log = (server: ToolsrvProcess): readonly unknown[] =>
  [...server.stderr.matchAll(/ toolsrv: permission (\{.*\})$/gm)].map(([, line = '']) => JSON.parse(line) as unknown); // only compared

describe('a command that the guard asks about', () => {
  test('is refused at once without an observer, with the rule and its reason', async () => {
    await world.serve('--no-auth');
    const agent = await world.agent();
    const result = await call(agent, DELETE);
    expect([result['isError'], said(result), repository()]).toEqual([true, `permission unavailable: no observer\n${WHY}`, true]);
    expect(await outcome(agent.ask('proc/new.bg', payload(agent, DELETE)))).toBe(`permission unavailable: no observer\n${WHY}`);
    expect(said(await call(agent, { tool: 'shell', cmd: 'git reset --hard; echo ran' }))).toContain('ran\n');
  });

  test('runs in the sandbox when an observer approves; the request says why it is asked', async () => {
    const server = await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const { read } = await reading(observer);
    const result = call(agent, { ...DELETE, cmd: `${DELETE.cmd}; echo no > '${world.home}/made'` });
    expect(await read).toMatchObject({ id: 'b-1', kind: 'permission', rule: 'delete-repository', why: WHY.replace(/^.*?: /, '') });
    await answer(observer, { id: 'b-1', approved: true });
    expect(await result).toMatchObject({ isError: true, sandbox: expect.not.stringMatching('none') });
    expect([repository(), existsSync(join(world.home, 'made'))]).toEqual([false, false]);
    await eventually(() => log(server).length === 1);
    expect(log(server)).toMatchObject([{ id: 'b-1', decision: 'approved', scope: 'once', rule: 'delete-repository' }]);
  });

  test('is told when it is rejected or nobody answers, and does not run', async () => {
    await world.serve('--no-auth', '--bypass-timeout', '1s');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const { read } = await reading(observer);
    const first = call(agent, DELETE);
    await read;
    await answer(observer, { id: 'b-1', error: 'not today' });
    expect(said(await first)).toBe(`permission rejected: not today\n${WHY}`);
    const second = call(agent, DELETE);
    expect(await next(observer)).toMatchObject({ id: 'b-2' });
    expect([said(await second), repository()]).toEqual([`permission timed out after 1s\n${WHY}`, true]);
  });

  test('approved for the session is not asked about again: that call, in that session', async () => {
    const server = await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const { read } = await reading(observer);
    const first = call(agent, { ...DELETE, session: 's-1' });
    await read;
    await answer(observer, { id: 'b-1', approved: true, scope: 'session' });
    expect(said(await first)).toBe('gone\n');
    mkdirSync(join(world.project, '.git'));
    expect([said(await call(agent, { ...DELETE, session: 's-1' })), repository()]).toEqual(['gone\n', false]);
    await eventually(() => log(server).length === 2);
    expect(log(server)).toMatchObject([{ scope: 'session' }, { id: 'b-2', decision: 'approved', scope: 'session', request: 'b-1' }]);
    const others = [
      { ...DELETE, session: 's-2' },
      { ...DELETE, session: 's-1', cmd: `${DELETE.cmd} ` },
      { ...DELETE, session: 's-1', bypass: 'true' },
    ];
    for (const other of others) {
      const asked = call(agent, other);
      const { id } = await next(observer);
      await answer(observer, { id: id ?? null, error: 'no' });
      expect(said(await asked)).toContain('rejected: no');
    }
  });
});

describe('the user’s permissions.yaml', () => {
  test('denies, asks and lifts; who is denied too often is blocked', async () => {
    rules(RULES);
    await world.serve('--no-auth');
    const agent = await world.agent();
    await agent.writeAll('ctl', 'load a-1 file_write\n');
    expect(said(await call(agent, { tool: 'shell', cmd: 'cd . && npm publish --tag x' }))).toBe(
      'permission denied: no-publish\nreleases are made elsewhere',
    );
    expect(said(await call(agent, { tool: 'file_write', file_path: 'plans/../plans/a', content: 'x' }))).toBe(
      'permission unavailable: no observer\nplans: plans belong to a person',
    );
    expect((await call(agent, { tool: 'file_write', file_path: 'a', content: 'x' }))['isError']).toBe(false);
    expect([said(await call(agent, DELETE)), repository()]).toEqual(['gone\n', false]);
    expect(said(await call(agent, { tool: 'shell', cmd: 'rm -rf "$PWD"' }))).toContain(
      'permission unavailable: no observer\ndelete-project: ',
    );
    for (let n = 0; n < 4; n += 1) await call(agent, { tool: 'shell', cmd: 'npm publish' });
    expect(said(await call(agent, { tool: 'shell', cmd: 'ls' }))).toMatch(/^rate limited: too many validation failures, blocked for \d+s$/);
  });

  test('that cannot be used lets nothing run, says where, and is read again when it is mended', async () => {
    rules('rules:\n  - id: x\n    verdikt: deny\n');
    await world.serve('--no-auth');
    const agent = await world.agent();
    const file = join(world.folder, 'config/permissions.yaml');
    const broken = said(await call(agent, { tool: 'shell', cmd: 'echo ran' }));
    expect(broken).toContain(`execution failed: ${file}:3: rules x: verdikt: no such key`);
    rules(RULES);
    expect(said(await call(agent, { tool: 'shell', cmd: 'echo ran' }))).toBe('ran\n');
  });
});
