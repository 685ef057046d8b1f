import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BackendError, isJsonObject, parseJson, type JsonObject, type JsonValue, type ModelRequest, type StreamEvent } from '#model';
import { OpenAIBackend } from './openai.backend.js';
import { listOf, numberField, objectField, textField } from '../wire/json-fields.js';

const named = join(resolve(process.env.OLLIE_CASES ?? join(process.cwd(), '../shared/cases')), 'streams');
const isHere = existsSync(join(named, 'serve.mjs'));
/** Without links, or the server would not take itself for the program that was started. */
const directory = isHere ? realpathSync(named) : named;

/** Cases of these providers speak chat completions. */
const CHAT_PROVIDERS: readonly string[] = ['openai', 'openrouter'];

/** Cases that are not for this backend, by provider, each with its reason. */
const OTHER_DIALECTS: Readonly<Record<string, string>> = {
  'openai-responses': 'needs /v1/responses',
  copilot: 'needs the token exchange',
  anthropic: 'needs /v1/messages',
  ollama: 'needs /api/chat',
  gemini: 'needs streamGenerateContent',
  kiro: 'needs the AWS event stream',
};

interface Case {
  readonly id: string;
  readonly spec: JsonObject;
}

function casesIn(folder: string): readonly Case[] {
  const ids = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'case.json')));
  const cases = ids.map((id) => ({ id, spec: object(parseJson(readFileSync(join(folder, id, 'case.json'), 'utf8'))) }));
  return cases.filter(({ spec }) => !(providerOf(spec) in OTHER_DIALECTS));
}

function providerOf(spec: JsonObject): string {
  return textField(spec, 'provider') ?? '';
}

const describeCases = isHere ? describe : describe.skip;
describeCases(isHere ? 'the shared wire cases over HTTP' : 'not run: no shared cases', () => {
  const cases = isHere ? casesIn(directory) : [];
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

  it('there are some, all of a dialect that this backend speaks', () => {
    expect(cases.length).toBeGreaterThan(20);
    expect(CHAT_PROVIDERS).toEqual(expect.arrayContaining(cases.map(({ spec }) => providerOf(spec))));
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

async function run({ id, spec }: Case, base: string): Promise<JsonObject> {
  const client = objectField(spec, 'client');
  const backend = new OpenAIBackend({
    name: 'openai',
    baseUrl: `${base}/c/${id}/v1`,
    key: 'sk-case-key',
    defaultModel: undefined,
    patience: {
      idleMs: numberField(client, 'idle_timeout_ms') ?? 10_000,
      progressMs: numberField(client, 'progress_timeout_ms') ?? 15_000,
    },
  });
  if (textField(spec, 'path')?.endsWith('/models')) return await listed(backend);
  const got = await collected(backend, client?.abort_after_text === true);
  return client?.abort_after_text === true ? { ...got, ...(await closing(`${base}/_log/${id}`)) } : got;
}

const request: ModelRequest = {
  model: 'fx-model',
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
  tools: [{ name: 'ls', description: 'list', parameters: { type: 'object', properties: {} } }],
  params: {},
};

async function collected(backend: OpenAIBackend, abortAfterText: boolean): Promise<JsonObject> {
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

function failureFacts(error: BackendError): JsonObject {
  return {
    error_class: error.name === 'AbortedError' ? 'AbortError' : error.name,
    error_kind: error.failure.kind ?? null,
    retryable: error.retryable,
    retry_after_ms: error.failure.retryAfterMs ?? null,
    context_limit: error.failure.limitTokens ?? null,
    message: error.message,
  };
}

function eventFacts(events: readonly StreamEvent[]): JsonObject {
  const joined = (type: 'text' | 'reasoning'): string => events.map((event) => (event.type === type ? event.text : '')).join('');
  const usage = events.find((event) => event.type === 'usage')?.usage;
  const done = events.find((event) => event.type === 'done');
  return {
    text: joined('text'),
    reasoning: joined('reasoning'),
    tool_calls: events.flatMap((event) => (event.type === 'toolCall' ? [callFacts(event)] : [])),
    stop: done?.stop ?? null,
    ...(usage
      ? {
          usage: {
            input: usage.inputTokens,
            cached_input: usage.cachedInputTokens,
            cache_creation: usage.cacheCreationTokens,
            output: usage.outputTokens,
            reasoning: usage.reasoningTokens ?? 0,
          },
        }
      : {}),
  };
}

function callFacts({ call }: Extract<StreamEvent, { type: 'toolCall' }>): JsonObject {
  if (call.argumentsError === undefined) return { id: call.id, name: call.name, arguments: call.arguments };
  return { id: call.id, name: call.name, arguments_error: true, arguments_raw: call.rawArguments };
}

async function listed(backend: OpenAIBackend): Promise<JsonObject> {
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

function object(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
