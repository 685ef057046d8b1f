import { BackendError, type Backend, type JsonObject, type JsonValue, type StreamEvent } from '#model';
import { numberField, objectField, textField } from '../wire/json-fields.js';
import { eventFacts, failureFacts } from '../answer-facts.js';
import { CaseServer } from './case-server.js';
import { casesIn, directoryOfCases, isListing, request, type Case } from './cases.js';
import { differencesOf } from './differences.js';
import { backendOf, PROVIDERS, withoutCases } from './providers.js';

const directory = directoryOfCases(process.env.OLLIE_CASES) ?? '';
const all = directory === '' ? [] : casesIn(directory);
const cases = all.filter(({ provider }) => provider in PROVIDERS);

const describeCases = directory === '' ? describe.skip : describe;
describeCases(directory === '' ? 'not run: no shared cases' : 'the shared wire cases over HTTP', () => {
  const results = new Map<string, JsonValue>();
  let differences: JsonObject = {};
  let server: CaseServer | undefined;

  beforeAll(async () => {
    server = await CaseServer.start(directory);
    for (const one of cases) results.set(one.id, await run(one, server));
    differences = differencesOf(directory, cases, results);
  }, 60_000);

  afterAll(async () => await server?.stop());

  it('there are some of each provider, and of no other', () => {
    expect(cases.length).toBeGreaterThan(20);
    expect(withoutCases(cases)).toEqual([]);
    expect(Object.keys(PROVIDERS)).toEqual(expect.arrayContaining(all.map(({ provider }) => provider)));
  });

  if (cases.length > 0)
    it.each(cases.map(({ id, spec }) => [id, textField(spec, 'title')]))('%s: %s', (id) => {
      expect(differences[id ?? '']).toEqual([]);
    });
});

async function run({ id, provider, spec }: Case, server: CaseServer): Promise<JsonObject> {
  const client = objectField(spec, 'client');
  const backend = backendOf(provider, server.addressOf(id), {
    idleMs: numberField(client, 'idle_timeout_ms') ?? 10_000,
    progressMs: numberField(client, 'progress_timeout_ms') ?? 15_000,
  });
  if (isListing(spec)) return await listed(backend);
  const got = await collected(backend, client?.abort_after_text === true);
  return client?.abort_after_text === true ? { ...got, socket_closed_ms: await server.closedAfter(id) } : got;
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
  const { tools, reasoning, images } = models[0]?.capabilities ?? {};
  return {
    models: models.map(({ id }) => id),
    capabilities: { tools: tools ?? null, thinking: reasoning ?? null, vision: images ?? null },
    context_lengths: Object.fromEntries(models.map(({ id, contextLength }) => [id, contextLength ?? 0])),
  };
}
