import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { packageRoot } from '#config';
import { openMode } from '#ninep';
import { AGENTS, answer, audit, bypass, BypassWorld, next, OBSERVERS, outcome, reading, said, textIn } from './bypass-world.js';
import { text } from './tool-bench.js';
import { eventually } from './toolsrv-process.js';

jest.setTimeout(60_000);

let world: BypassWorld;
beforeEach(() => {
  world = new BypassWorld();
});
afterEach(() => world.destroy());

describe('observers', () => {
  test('have files that are theirs alone', async () => {
    await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    expect((await agent.list('bypass')).map(({ name, mode }) => `${name} ${mode.toString(8)}`)).toEqual(['pending 440', 'resolve 220']);
    for (const uname of ['agent', 'root', 'Observer', '']) {
      const other = await world.connect(uname, 'a-1');
      expect(await outcome(other.readAll('bypass/pending'))).toBe('permission denied: not an observer');
      expect(await outcome(other.writeAll('bypass/resolve', '{"id":"b-1","approved":true}'))).toBe('permission denied: not an observer');
      expect(await outcome(other.wstat('bypass/resolve', { length: 0 }))).toBe('permission denied: not an observer');
    }
    expect(await outcome(observer.writeAll('bypass/pending', 'x'))).toBe('permission denied');
    expect(await outcome(observer.readAll('bypass/resolve'))).toBe('permission denied');
  });

  test('race: every request has one winner, one outcome and one line in the log', async () => {
    const server = await world.serve('--no-auth');
    const agent = await world.agent();
    const observers = [await world.observer(), await world.observer(), await world.observer()];
    const expected: string[] = [];
    for (let round = 1; round <= 20; round += 1) {
      const reads = await Promise.all(observers.map(reading));
      const result = bypass(agent, { cmd: 'true' });
      const ids = await Promise.all(reads.map(async ({ read }) => textIn(await read, 'id')));
      const answers = observers.map((observer, i) => outcome(answer(observer, { id: `b-${round}`, error: `observer ${i}` })));
      const outcomes = await Promise.all(answers);
      expect([new Set(ids), outcomes.toSorted()]).toEqual([
        new Set([`b-${round}`]),
        ['done', ...Array(2).fill(`no such request: b-${round}`)],
      ]);
      const winner = `observer ${outcomes.indexOf('done')}`;
      expect(said(await result)).toBe(`bypass rejected: ${winner}`);
      expected.push(`b-${round} ${winner}`);
    }
    await eventually(() => audit(server).length === 20);
    expect(audit(server).map((line) => `${textIn(line, 'id')} ${textIn(line, 'text')}`)).toEqual(expected);
  });

  test('get 100 requests each once, the oldest first, and may answer in any order', async () => {
    await world.serve('--no-auth');
    const [agent, one, two] = [await world.agent(), await world.observer(), await world.observer()];
    const begun = await reading(one);
    const results = Array.from({ length: 100 }, (_, i) => bypass(agent, { cmd: `echo ${i}` }));
    const ids = [textIn(await begun.read, 'id')];
    while (ids.length < 100) ids.push(textIn(await next(one), 'id'));
    const seen: string[] = [];
    while (seen.length < 100) seen.push(textIn(await next(two), 'id'));
    expect([ids, seen]).toEqual([Array.from({ length: 100 }, (_, i) => `b-${i + 1}`), ids]);
    const half = (id: string): boolean => Number(id.slice(2)) % 2 === 0;
    for (const id of [...ids].reverse()) await answer(half(id) ? one : two, half(id) ? { id, approved: true } : { id, error: id });
    const texts = (await Promise.all(results)).map((result) => said(result));
    expect(texts.filter((words) => /^bypass rejected: b-\d+$/.test(words))).toHaveLength(50);
    expect(texts.filter((words) => /^\d+\n$/.test(words))).toHaveLength(50);
  });

  test('that leave take nothing along: another one sees what is open, also at its first look', async () => {
    await world.serve('--no-auth');
    const [agent, first] = [await world.agent(), await world.observer()];
    const { read } = await reading(first);
    const result = bypass(agent, { cmd: 'echo saved' });
    await read;
    first.close();
    const second = await world.observer();
    expect(await next(second)).toMatchObject({ id: 'b-1' });
    await answer(second, { id: 'b-1', approved: true });
    expect(said(await result)).toBe('saved\n');
  });

  test('count for 5 s after they have hung up, and not longer', async () => {
    await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const { read } = await reading(observer);
    void outcome(read);
    observer.close();
    const begin = performance.now();
    expect(said(await bypass(agent, { cmd: 'id' }))).toBe('bypass unavailable: no observer');
    const lasted = performance.now() - begin;
    expect(lasted).toBeGreaterThan(3000);
    const again = performance.now();
    expect(said(await bypass(agent, { cmd: 'id' }))).toBe('bypass unavailable: no observer');
    expect(performance.now() - again).toBeLessThan(3000);
  });

  test('whose read is interrupted miss nothing', async () => {
    await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    for (let i = 0; i < 3; i += 1) await (await reading(observer)).leave();
    const result = bypass(agent, { cmd: 'echo heard' });
    expect(await next(observer)).toMatchObject({ id: 'b-1' });
    await answer(observer, { id: 'b-1', approved: true });
    expect(said(await result)).toBe('heard\n');
  });

  test('whose connection breaks in the middle of an answer have given none; after it, one', async () => {
    await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const { read } = await reading(observer);
    const result = bypass(agent, { cmd: 'echo whole' });
    await read;
    for (const words of ['{"id":"b-1","approved":tr', '{"id":"b-1","approved":true}']) {
      const passing = await world.observer();
      const file = await passing.open('bypass/resolve', openMode.write);
      await file.write(0, Buffer.from(words));
      expect(await next(await world.observer())).toMatchObject({ id: 'b-1' });
      passing.close();
    }
    expect(said(await result)).toBe('whole\n');
  });

  test('may limit how long they wait', async () => {
    await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.connect('observer', '&wait=200ms')];
    expect(text(await observer.readAll('bypass/pending'))).toBe('');
    const result = bypass(agent, { cmd: 'echo later' });
    await eventually(async () => text(await observer.readAll('bypass/pending')).includes('"b-1"'));
    await answer(observer, { id: 'b-1', approved: true });
    expect(said(await result)).toBe('later\n');
  });

  test('are told what is wrong with an answer, and the request stays open', async () => {
    await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const { read } = await reading(observer);
    const result = bypass(agent, { cmd: 'echo patient' });
    await read;
    const tell = (words: string): Promise<string> => outcome(observer.writeAll('bypass/resolve', words));
    expect(await tell('yes')).toMatch(/^illegal argument: not JSON/);
    expect(await tell('{"id":"b-1","approved":"true"}')).toBe('illegal argument: approved must be true or false');
    expect(await tell('{"id":"b-1"}')).toBe('illegal argument: neither approved nor error');
    expect(await tell('{"id":"b-2","approved":true}')).toBe('no such request: b-2');
    expect(await tell('{"id":"1","approved":true}')).toBe('no such request: 1');
    expect(await tell(`{"id":"b-1","approved":true,"hash":"${'0'.repeat(64)}"}`)).toBe('illegal argument: the hash is not that of b-1');
    expect(await tell('{"id":"b-1","approved":true}\n')).toBe('done');
    expect(await tell('{"id":"b-1","approved":true}')).toBe('no such request: b-1');
    expect(said(await result)).toBe('patient\n');
  });
});

describe('a shell script as the observer', () => {
  test('examples/approve.sh shows each request once, and sends the answer', async () => {
    const server = await world.serve('--observer-secret-file', world.observerFile);
    const agent = await world.agent(AGENTS);
    const env = { ...process.env, PATH: `${packageRoot()}/bin:${process.env['PATH']}` };
    const script = spawn('sh', [`${packageRoot()}/examples/approve.sh`, world.socket, 'alice', world.observerFile], {
      env,
      detached: true,
    });
    const closed = once(script, 'close');
    let shown = '';
    script.stdout.setEncoding('utf8').on('data', (words: string) => (shown += words));
    script.stdin.write('y\nn\ns\n');
    let first: unknown;
    await eventually(async () => (first = said(await bypass(agent, { cmd: 'echo one' }))) !== 'bypass unavailable: no observer');
    expect([first, said(await bypass(agent, { cmd: 'echo two' }))]).toEqual(['one\n', 'bypass rejected: not approved']);
    expect(shown.match(/"command":"echo \w+"/g)).toEqual(['"command":"echo one"', '"command":"echo two"']);
    const asking = { tool: 'shell', bypass: 'false', cmd: 'rm -rf .git; echo gone' };
    expect([said(await bypass(agent, asking)), said(await bypass(agent, asking))]).toEqual(['gone\n', 'gone\n']);
    expect(audit(server).flatMap((line) => ('by' in line ? [textIn(line, 'by').replace(/\d+/g, '1')] : []))).toEqual(
      Array(2).fill('alice (1.1.1)'),
    );
    await server.stop();
    script.stdin.end();
    await closed;
  });
});

describe('who is an observer', () => {
  test('whoever knows the secret of the file, and nobody else', async () => {
    await world.serve('--observer-secret-file', world.observerFile);
    const agent = await world.agent(AGENTS);
    expect(await outcome(world.observer('guess'))).toBe('permission denied: bad secret');
    expect(await outcome(world.observer(AGENTS))).toBe('permission denied: bad secret');
    expect(await outcome(world.observer())).toBe('permission denied: authentication required');
    expect(await outcome(world.agent(OBSERVERS))).toBe('permission denied: bad secret');
    const observer = await world.observer(OBSERVERS);
    const { read } = await reading(observer);
    const result = bypass(agent, { cmd: 'echo trusted' });
    await read;
    await answer(observer, { id: 'b-1', approved: true });
    expect(said(await result)).toBe('trusted\n');
    expect(await outcome(bypass(observer, { cmd: 'id' }))).toBe('permission denied: bad token');
  });

  test('an agent’s proof does not make an observer', async () => {
    await world.serve('--observer-secret-file', world.observerFile);
    const agent = await world.agent(AGENTS);
    const asObserver = await outcome(agent.attach({ uname: 'observer', aname: '', secret: AGENTS }));
    expect(asObserver).toBe('permission denied: bad secret');
    expect(await outcome(agent.readAll('bypass/pending'))).toBe('permission denied: not an observer');
  });

  test('without an observers’ secret nobody is, not even the first who comes', async () => {
    await world.serve();
    expect(await outcome(world.observer('first'))).toBe('permission denied: bad secret');
    expect(said(await bypass(await world.agent(AGENTS), { cmd: 'id' }))).toBe('bypass unavailable: no observer');
  });

  test('the owner’s second line is the observers’ secret, whenever it comes', async () => {
    const server = await world.serveOwned(`${AGENTS}\n`);
    await eventually(() => server.stdout.includes('listening'));
    expect(await outcome(world.observer(OBSERVERS))).toBe('permission denied: bad secret');
    server.owner.write(`${OBSERVERS}\n`);
    await eventually(async () => (await outcome(world.observer(OBSERVERS))) === 'done');
    expect(await outcome(world.observer(AGENTS))).toBe('permission denied: bad secret');
  });

  test.each([
    [['--no-auth'], 'exclude each other'],
    [['--secret-fd', '3'], 'it is the second line there'],
  ])('%j and a file of the secret exclude each other', async (flags, why) => {
    const run = world.serve('--observer-secret-file', world.observerFile, ...flags);
    expect(await outcome(run)).toContain(why);
  });

  test.each([
    [0, 'is empty'],
    [257, 'has more than 256 bytes'],
  ])('a file of %d bytes is no secret', async (length, why) => {
    writeFileSync(world.observerFile, 'x'.repeat(length));
    expect(await outcome(world.serve('--observer-secret-file', world.observerFile))).toContain(why);
  });
});
