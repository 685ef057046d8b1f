import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, type JsonObject } from '#model';
import { root, run, type Ended } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

const DATA = 'dist/providers/data';
/** One model each, but where a test says more. */
const FILES = {
  anthropic: [
    model('claude-a-5-1', 'api.anthropic.com', { compat: { supportsTemperature: false }, thinkingLevelMap: { off: null, max: 'max' } }),
  ],
  openai: [
    model('gpt-z', 'api.openai.com', { reasoning: false, input: ['text'] }),
    { ...model('gpt-a', 'api.openai.com', {}), type: 'classifier' },
    model('gpt-b', 'api.openai.com', {
      contextWindow: 200,
      cost: {
        ...rates(1),
        tiers: [
          { ...rates(8), inputTokensAbove: 500 },
          { ...rates(4), inputTokensAbove: 200, more: 1 },
        ],
      },
      thinkingLevelMap: { off: 'none', minimal: 'low', high: 'default', xhigh: null },
    }),
  ],
  google: [
    model('gemini-x-preview', 'generative.example', {}),
    model('gemini-y-preview', 'generative.example', {}),
    model('gemini-y', 'generative.example', {}),
  ],
  xai: [model('grok', 'api.x.ai', {})],
  deepseek: [model('v4', 'api.deepseek.com', {})],
  mistral: [model('labs', 'api.mistral.ai', { cost: rates(0) })],
  groq: [model('g/one', 'api.groq.com', {})],
  moonshotai: [model('kimi', 'api.moonshot.ai', {})],
  zai: [model('glm', 'api.z.ai', {})],
  cerebras: [model('c', 'api.cerebras.ai', {})],
  together: [model('t', 'api.together.ai', {})],
  'github-copilot': [model('gpt-b', 'api.copilot.example', {})],
  openrouter: [model('openai/gpt-b', 'openrouter.ai', { contextWindow: 1_000 })],
};

function rates(price: number): JsonObject {
  return { input: price, output: 2 * price, cacheRead: price / 10, cacheWrite: 0 };
}

function model(id: string, host: string, more: JsonObject): JsonObject {
  const facts = { contextWindow: 300, maxTokens: 30, reasoning: true, input: ['text', 'image'], cost: rates(1) };
  return { id, type: 'chat', baseUrl: `https://${host}/v1`, name: 'not taken', ...facts, ...more };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe('the list of models is made from the data of a package', () => {
  let tree: TempTree;

  beforeEach(() => {
    const texts = Object.entries(FILES).map(
      ([name, models]) => [`${name}.json`, JSON.stringify({ api: Object.assign({}, models) })] as const,
    );
    const files = Object.fromEntries(texts.map(([name, text]) => [name, sha256(text)]));
    tree = new TempTree({
      'package.json': '{"name":"some-data","version":"1.2.3","license":"MIT"}',
      [`${DATA}/.manifest.json`]: JSON.stringify({ generatedAt: '2026-11-20T10:48:49.496Z', files }),
      ...Object.fromEntries(texts.map(([name, text]) => [`${DATA}/${name}`, text])),
    });
  });
  afterEach(() => tree.remove());

  const refresh = (out: string): Promise<Ended> =>
    run(process.execPath, [join(root, 'scripts/refresh-models.mjs'), '--from', tree.root, '--out', tree.path(out)], { cwd: tree.root });

  it('with its date, its hash, and figures only; twice the same', async () => {
    expect(await refresh('one.json')).toEqual(
      expect.objectContaining({ code: 0, stdout: '15 models of 14 providers, as of 2026-11-20\n' }),
    );
    await refresh('two.json');
    const text = readFileSync(tree.path('one.json'), 'utf8');
    expect(readFileSync(tree.path('two.json'), 'utf8')).toBe(text);
    expect(text).not.toContain('not taken');
    const sha = sha256(readFileSync(tree.path(`${DATA}/.manifest.json`), 'utf8'));
    expect(parseJson(text)).toMatchObject({
      source: expect.stringMatching(/ some-data 1\.2\.3 \(MIT\)/),
      date: '2026-11-20',
      sha256: sha,
      providers: { together: { hosts: ['api.together.ai', 'api.together.xyz'] }, openrouter: { routes: true, models: {} } },
    });
  });

  it('a model has what counts, sorted, with windows that no price has cut', async () => {
    await refresh('one.json');
    const usual = { contextLength: 300, maxOutputTokens: 30, tools: true, images: true, reasoning: true };
    const efforts = ['none', 'minimal', 'low', 'medium', 'high'];
    const { providers } = parseJson(readFileSync(tree.path('one.json'), 'utf8')) as { readonly providers: JsonObject }; // just written
    expect(providers).toMatchObject({
      anthropic: {
        prefix: 'anthropic',
        exclusive: true,
        models: {
          'claude-a-5-1': {
            ...usual,
            cost: rates(1),
            temperature: false,
            efforts: ['minimal', 'low', 'medium', 'high', 'max'],
            aliases: ['claude-a-5.1'],
          },
        },
      },
      openai: {
        models: {
          'gpt-b': {
            ...usual,
            cost: {
              ...rates(1),
              tiers: [
                { inputTokensAbove: 200, ...rates(4) },
                { inputTokensAbove: 500, ...rates(8) },
              ],
            },
            contextLength: 1_000,
            efforts: ['none', 'low', 'medium', 'high'],
          },
          'gpt-z': { ...usual, cost: rates(1), images: false, reasoning: false },
        },
      },
      google: {
        models: {
          'gemini-x-preview': { ...usual, cost: rates(1), efforts, aliases: ['gemini-x'] },
          'gemini-y': { ...usual, cost: rates(1), efforts },
          'gemini-y-preview': { ...usual, cost: rates(1), efforts },
        },
      },
      mistral: { models: { labs: { ...usual, efforts } } },
      copilot: { models: { 'gpt-b': { ...usual, efforts } } },
    });
    expect(JSON.stringify(providers)).not.toMatch(/"labs":\{"cost"|"more"/);
  });

  it('data that is not what its manifest says is refused', async () => {
    tree.add(`${DATA}/xai.json`, '{}');
    const { code, stderr } = await refresh('one.json');
    expect([code, stderr]).toEqual([1, "refresh-models: xai.json is not what the package's manifest says\n"]);
    expect(readdirSync(tree.root)).not.toContain('one.json');
  });
});
