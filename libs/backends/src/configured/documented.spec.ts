import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '#config';
import { parseJson } from '#model';
import { createCatalog } from '../create-catalog.js';
import { dialectNames } from '../dialects.js';
import { serverOf } from '../openai/server.js';
import { presets } from '../openai/presets.js';
import type { PresetName } from '../openai/quirks.js';
import type { BackendEntry } from './backend-entry.js';
import { readBackends } from './read-backends.js';

const page = readFileSync(join(packageRoot(), 'docs/backends.md'), 'utf8');
const blocks = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => text);
const entries = blocks.flatMap((text) => readBackends(parseJson(text), 'docs/backends.md', () => false));

describe('docs/backends.md', () => {
  const root = mkdtempSync(join(tmpdir(), 'ollie-docs-'));
  afterAll(() => rmSync(root, { recursive: true }));

  it.each(blocks)('shows what can be used: %s', (text) => {
    writeFileSync(join(root, 'config.json'), text);
    const names = readBackends(parseJson(text), 'docs/backends.md', () => false).map(({ name }) => name);
    const catalog = createCatalog({ env: {}, paths: { config: root, packaged: join(packageRoot(), 'config') } });
    expect(new Set(catalog.names())).toEqual(new Set([...names, 'scripted']));
    for (const name of names) expect(catalog.get(name).name).toBe(name);
  });

  it.each<[string, PresetName]>([
    ['openrouter', 'openrouter'],
    ['llamacpp', 'llama.cpp'],
    ['vllm', 'vllm'],
    ['lmstudio', 'lmstudio'],
    ['deepseek', 'deepseek'],
    ['mistral', 'mistral'],
    ['groq', 'groq'],
    ['xai', 'xai'],
  ])('has an example for %s, which is taken for what it is', (name, preset) => {
    const { quirks, accounts = [] } = entryNamed(name);
    const baseUrl = accounts[0]?.url ?? (name === 'openrouter' ? 'https://openrouter.ai/api/v1' : undefined);
    expect(serverOf({ name, key: undefined, defaultModel: undefined, baseUrl, quirks }).quirks).toEqual(presets[preset]);
  });

  it('names every key and every dialect', () => {
    const known =
      /known are (.*)$/.exec(messageOf(() => readBackends({ backends: [{ nothing: 1 }] }, '', () => false)))?.[1]?.split(', ') ?? [];
    expect(known).toContain('keyCommand');
    for (const key of known) expect(page).toMatch(new RegExp(`^\\|.*\`${key}\`.*\\|`, 'm'));
    for (const dialect of dialectNames) expect(page).toMatch(new RegExp(`^\\| \`${dialect}\` \\|`, 'm'));
  });
});

function entryNamed(name: string): BackendEntry {
  const entry = entries.find((one) => one.name === name);
  if (!entry) throw new Error(`no example for ${name}`);
  return entry;
}

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return String(error);
  }
  return '';
}
