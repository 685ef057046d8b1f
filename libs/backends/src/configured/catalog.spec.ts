import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackendCatalog } from '#model';
import { createCatalog } from '../create-catalog.js';

describe('backends of config.json beside those of the environment', () => {
  const root = mkdtempSync(join(tmpdir(), 'ollie-catalog-'));
  afterAll(() => rmSync(root, { recursive: true }));

  function catalog(backends: readonly object[], env: Record<string, string> = {}): BackendCatalog {
    writeFileSync(join(root, 'config.json'), JSON.stringify({ backends }));
    return createCatalog({ env, paths: { config: root, packaged: join(process.cwd(), 'config') } });
  }

  const acme = { name: 'acme', dialect: 'openai-chat' };

  it('names that the environment knows too have their usual place, others follow in the order of the file', () => {
    const entries = [acme, { name: 'gemini', key: 'k' }, { name: 'zeta', dialect: 'anthropic' }, { name: 'openai', key: 'k' }];
    expect(catalog(entries, { OLLIE_ANTHROPIC_KEY: 'k' }).names()).toEqual(['openai', 'anthropic', 'gemini', 'acme', 'zeta', 'scripted']);
  });

  it('can be preferred, and are called by their names', () => {
    expect(catalog([acme]).preferred()?.name).toBe('acme');
    expect(catalog([acme], { OLLIE_OPENAI_KEY: 'k' }).preferred()?.name).toBe('openai');
    expect(catalog([acme], { OLLIE_OPENAI_KEY: 'k', OLLIE_BACKEND: 'acme' }).preferred()?.name).toBe('acme');
    expect(() => catalog([acme], { OLLIE_BACKEND: 'acne' }).preferred()).toThrow('no such backend: acne');
  });

  it('the model of one is what the environment says of it, else what the file says, else what the environment says of all', () => {
    const model = (env: Record<string, string>, entry: object = { ...acme, defaultModel: 'own' }): string | undefined =>
      catalog([entry], env).get('acme').defaultModel;
    expect(model({})).toBe('own');
    expect(model({ OLLIE_MODEL: 'all' })).toBe('own');
    expect(model({ OLLIE_MODEL: 'all' }, acme)).toBe('all');
    expect(model({ OLLIE_MODEL: 'its', OLLIE_BACKEND: 'acme' })).toBe('its');
    expect(model({ OLLIE_MODEL: 'its', OLLIE_BACKEND: 'openai', OLLIE_OPENAI_KEY: 'k' })).toBe('own');
    expect(model({})).toBe('own');
  });

  it('one that says neither where nor as whom keeps what the environment says', () => {
    const backends = catalog([{ name: 'openai', defaultModel: 'own' }], { OLLIE_OPENAI_KEY: 'k' });
    expect([backends.names(), backends.get('openai').defaultModel]).toEqual([['openai', 'scripted'], 'own']);
    expect(() => catalog([{ name: 'openai', headers: { a: 'b' } }], { OLLIE_OPENAI_KEY: 'k' })).toThrow(
      /backends 1: headers: expected url/,
    );
    expect(catalog([{ name: 'openai', headers: { a: 'b' } }]).names()).toEqual(['openai', 'scripted']);
  });

  it('one that is only named in the environment is what the file says', () => {
    const backends = catalog([{ name: 'ollama', numCtx: 32_768, defaultModel: 'own' }], { OLLIE_BACKEND: 'ollama' });
    expect([backends.names(), backends.preferred()?.defaultModel]).toEqual([['ollama', 'scripted'], 'own']);
  });

  it('says what is known of its models, by who answers there', () => {
    const known = (entry: object): number | undefined =>
      catalog([{ ...acme, ...entry }])
        .get('acme')
        .contextLength('gpt-5');
    expect(known({ url: 'https://api.openai.com/v1', key: 'k' })).toBeGreaterThan(1_000);
    for (const dialect of ['openai', 'openai-chat', 'openai-responses'])
      expect([dialect, known({ key: 'k', dialect })]).toEqual([dialect, 400_000]);
    expect(known({ key: 'k', dialect: 'kiro' })).toBeUndefined();
  });

  it('quirks are checked where they stand', () => {
    expect(catalog([{ ...acme, quirks: { preset: 'vllm', cacheMarks: true } }]).names()).toContain('acme');
    expect(() => catalog([{ ...acme, quirks: { preset: 'acme' } }])).toThrow(/config\.json: backends 1: quirks: preset: expected one of /);
  });
});
