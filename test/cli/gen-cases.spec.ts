import { join } from 'node:path';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '#model';
import { CaseServer } from '../../libs/backends/src/stream-cases/case-server.js';
import { casesIn, directoryOfCases, request, type Case } from '../../libs/backends/src/stream-cases/cases.js';
import { differencesOf } from '../../libs/backends/src/stream-cases/differences.js';
import { PROVIDERS } from '../../libs/backends/src/stream-cases/providers.js';
import { root, run } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

const directory = directoryOfCases(process.env.OLLIE_CASES) ?? '';
const cases = directory === '' ? [] : casesIn(directory).filter(({ provider }) => provider in PROVIDERS);
/** Most of their time they wait. */
const AT_ONCE = 4;

const describeCases = directory === '' ? describe.skip : describe;
describeCases(directory === '' ? 'not run: no shared cases' : 'what `o gen --jsonl` says of the shared wire cases', () => {
  const results = new Map<string, JsonValue>();
  let differences: JsonObject = {};
  let server: CaseServer;
  let tree: TempTree;

  beforeAll(async () => {
    tree = new TempTree({ 'tools.json': JSON.stringify(request.tools) });
    server = await CaseServer.start(directory);
    const waiting = cases.values();
    const one = async (): Promise<void> => {
      for (const next of waiting) results.set(next.id, await lastLine(next));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    differences = differencesOf(directory, cases, results);
  }, 60_000);

  afterAll(async () => {
    await server.stop();
    tree.remove();
  });

  async function lastLine({ id, provider, spec }: Case): Promise<JsonValue> {
    const row = PROVIDERS[provider];
    const given = isJsonObject(spec.client) ? Object.entries(spec.client) : [];
    const args = ['gen', '--jsonl', '--backend', row?.name ?? '', '--url', server.addressOf(id) + (row?.below ?? '')];
    for (const [key, value] of given) args.push('--set', `${key}=${JSON.stringify(value)}`);
    args.push(...(asksForModels(spec) ? ['--models'] : ['--model', request.model, '--tools', tree.path('tools.json'), 'go']));
    const { code, stdout, stderr } = await run(join(root, 'bin/o'), args, { env: { PATH: process.env.PATH, HOME: tree.root } });
    if (stdout === '') return { said: stderr };
    const last = parseJson(stdout.trimEnd().split('\n').at(-1) ?? '');
    return isJsonObject(last) ? { ...last, code } : last;
  }

  if (cases.length > 0)
    it.each(cases.map((one) => [one.id, one] as const))('%s', (id, { spec: { expect: wanted } }) => {
      expect(differences[id]).toEqual([]);
      const fails = isJsonObject(wanted) && typeof wanted.error_class === 'string';
      expect(results.get(id)).toMatchObject({ code: fails ? 1 : 0 });
    });
});

function asksForModels({ path, expect: wanted }: JsonObject): boolean {
  return (typeof path === 'string' && path.endsWith('/models')) || (isJsonObject(wanted) && 'models' in wanted);
}
