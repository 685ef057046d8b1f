import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BackendError, parseJson, type Backend, type JsonObject, type JsonValue, type StreamEvent } from '#model';
import { listOf, numberField, objectField, textField } from '../wire/json-fields.js';
import { casesIn, directoryOfCases, object, request, type Case } from './cases.js';
import { eventFacts, failureFacts } from '../answer-facts.js';
import { OTHER_DIALECTS, PROVIDERS } from './providers.js';

const directory = directoryOfCases(process.env.OLLIE_CASES) ?? '';
const all = directory === '' ? [] : casesIn(directory);
const cases = all.filter(({ provider }) => provider in PROVIDERS);

const describeCases = directory === '' ? describe.skip : describe;
describeCases(directory === '' ? 'not run: no shared cases' : 'the shared wire cases over HTTP', () => {
  const results = new Map<string, JsonValue>();
  let differences: JsonObject = {};
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    const started = await startServer();
    server = started.process;
    for (const one of cases) results.set(one.id, await run(one, started.base));
    differences = compareAll(cases, results);
  }, 60_000);

  afterAll(async () => {
    server?.kill();
    if (server && server.exitCode === null) await once(server, 'exit');
  });

  it('there are some of each provider, and those of others are known', () => {
    expect(cases.length).toBeGreaterThan(20);
    expect([...new Set(cases.map(({ provider }) => provider))].toSorted()).toEqual(Object.keys(PROVIDERS).toSorted());
    const known = [...Object.keys(PROVIDERS), ...Object.keys(OTHER_DIALECTS)];
    expect(known).toEqual(expect.arrayContaining(all.map(({ provider }) => provider)));
  });

  if (cases.length > 0)
    it.each(cases.map(({ id, spec }) => [id, textField(spec, 'title')]))('%s: %s', (id) => {
      expect(differences[id ?? '']).toEqual([]);
    });
});

async function startServer(): Promise<{ process: ChildProcess; base: string }> {
  const child = spawn(process.execPath, [join(directory, 'serve.mjs'), directory, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const port = numberField(object(parseJson(String(line))), 'port');
  return { process: child, base: `http://127.0.0.1:${port}` };
}

async function run({ id, provider, spec }: Case, base: string): Promise<JsonObject> {
  const client = objectField(spec, 'client');
  const backend = PROVIDERS[provider]?.backend(`${base}/c/${id}`, {
    idleMs: numberField(client, 'idle_timeout_ms') ?? 10_000,
    progressMs: numberField(client, 'progress_timeout_ms') ?? 15_000,
  });
  if (!backend) throw new Error(`nobody plays ${provider}`);
  if (textField(spec, 'path')?.endsWith('/models')) return await listed(backend);
  const got = await collected(backend, client?.abort_after_text === true);
  return client?.abort_after_text === true ? { ...got, ...(await closing(`${base}/_log/${id}`)) } : got;
}

async function collected(backend: Backend, abortAfterText: boolean): Promise<JsonObject> {
  const events: StreamEvent[] = [];
  const controller = new AbortController();
  const started = performance.now();
  let failure: JsonObject = {};
  try {
    for await (const event of backend.stream(request, controller.signal)) {
      events.push(event);
      if (abortAfterText && event.type === 'text') controller.abort();
    }
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    failure = failureFacts(error);
  }
  return { ...eventFacts(events), ...failure, wall_ms: performance.now() - started };
}

async function listed(backend: Backend): Promise<JsonObject> {
  const models = await backend.models(new AbortController().signal);
  return {
    models: models.map(({ id }) => id),
    context_lengths: Object.fromEntries(models.map(({ id, contextLength }) => [id, contextLength ?? 0])),
  };
}

/** The server's own record of when its peer closed. */
async function closing(log: string): Promise<JsonObject> {
  const deadline = Date.now() + 2_000;
  while (Date.now() < deadline) {
    const seen = object(listOf(parseJson(await (await fetch(log)).text()))[0] ?? {});
    const closed = numberField(seen, 'closed_ms');
    if (closed !== undefined) return { socket_closed_ms: closed };
    await new Promise((done) => setTimeout(done, 20));
  }
  return {};
}

/** Model lists are compared in our order: sorted. */
function compareAll(cases: readonly Case[], results: ReadonlyMap<string, JsonValue>): JsonObject {
  const pairs = cases.map(({ id, spec }) => ({
    id,
    expect: sortedModels(objectField(spec, 'expect') ?? {}),
    got: results.get(id) ?? null,
  }));
  const code = `import { compare } from ${JSON.stringify(pathToFileURL(join(directory, 'compare.mjs')).href)};
    import { readFileSync } from 'node:fs';
    const pairs = JSON.parse(readFileSync(0, 'utf8'));
    process.stdout.write(JSON.stringify(Object.fromEntries(pairs.map(({ id, expect, got }) => [id, compare(expect, got)]))));`;
  return object(
    parseJson(execFileSync(process.execPath, ['--input-type=module', '-e', code], { input: JSON.stringify(pairs), encoding: 'utf8' })),
  );
}

function sortedModels(expected: JsonObject): JsonObject {
  return expected.models === undefined ? expected : { ...expected, models: [...listOf(expected.models)].map(String).toSorted() };
}
