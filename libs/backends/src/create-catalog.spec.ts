import { join } from 'node:path';
import { silentLog } from '#config';
import { createCatalog } from './create-catalog.js';

const paths = { config: '/nowhere', packaged: join(process.cwd(), 'config') };

describe('the configured backends', () => {
  it.each([
    ['nothing', {}, ['scripted'], undefined],
    ['a key', { OLLIE_OPENAI_KEY: 'sk' }, ['openai', 'scripted'], 'openai'],
    ['a URL', { OLLIE_OPENAI_URL: 'http://localhost:11434/v1' }, ['openai', 'scripted'], 'openai'],
    ['a key of Anthropic', { OLLIE_ANTHROPIC_KEY: 'sk' }, ['anthropic', 'scripted'], 'anthropic'],
    ['a token', { OLLIE_ANTHROPIC_TOKEN: 't' }, ['anthropic', 'scripted'], 'anthropic'],
    ['a server that speaks as Anthropic', { OLLIE_ANTHROPIC_URL: 'http://localhost:1' }, ['anthropic', 'scripted'], 'anthropic'],
    ['a key of OpenRouter', { OLLIE_OPENROUTER_KEY: 'k' }, ['openrouter', 'scripted'], 'openrouter'],
    ['a key of Gemini', { OLLIE_GEMINI_KEY: 'k' }, ['gemini', 'scripted'], 'gemini'],
    ['a server that speaks as Gemini', { OLLIE_GEMINI_URL: 'http://localhost:1' }, ['gemini', 'scripted'], 'gemini'],
    ['the address of an Ollama', { OLLIE_OLLAMA_URL: 'http://localhost:1' }, ['ollama', 'scripted'], 'ollama'],
    ['the name ollama', { OLLIE_BACKEND: 'ollama', OLLIE_OPENAI_KEY: 'sk' }, ['ollama', 'openai', 'scripted'], 'ollama'],
    ['a token of Copilot', { OLLIE_COPILOT_TOKEN: 't', OLLIE_COPILOT_HEADERS: '{"X-A":"a"}' }, ['copilot', 'scripted'], 'copilot'],
    ['a server that speaks as Copilot', { OLLIE_COPILOT_URL: 'http://localhost:1' }, ['copilot', 'scripted'], 'copilot'],
    ['headers for nobody', { OLLIE_COPILOT_HEADERS: '{"X-A":"a"}' }, ['scripted'], undefined],
    ['a token of Kiro', { OLLIE_KIRO_TOKEN: 't' }, ['kiro', 'scripted'], 'kiro'],
    ['a login of Kiro', { OLLIE_KIRO_TOKEN_FILE: '~/.aws/sso/cache/kiro-auth-token.json' }, ['kiro', 'scripted'], 'kiro'],
    ['a server that speaks as Kiro', { OLLIE_KIRO_URL: 'http://localhost:1' }, ['kiro', 'scripted'], 'kiro'],
    ['two', { OLLIE_ANTHROPIC_KEY: 'sk', OLLIE_OPENAI_KEY: 'sk' }, ['openai', 'anthropic', 'scripted'], 'openai'],
    [
      'two, one named',
      { OLLIE_ANTHROPIC_KEY: 'a', OLLIE_OPENAI_KEY: 'b', OLLIE_BACKEND: 'anthropic' },
      ['openai', 'anthropic', 'scripted'],
      'anthropic',
    ],
    ['an empty key', { OLLIE_OPENAI_KEY: '' }, ['scripted'], undefined],
    ['a key of white space', { OLLIE_OPENAI_KEY: ' \n' }, ['scripted'], undefined],
    ['the name scripted', { OLLIE_OPENAI_KEY: 'sk', OLLIE_BACKEND: 'scripted' }, ['openai', 'scripted'], 'scripted'],
  ])('with %s', (_name, env, names, preferred) => {
    const catalog = createCatalog({ env, paths });
    expect([catalog.names(), catalog.preferred()?.name]).toEqual([names, preferred]);
  });

  it.each(['x', '[]', '{}', '{"X-A":1}'])('headers that are none (%s) are told at the start', (headers) => {
    const env = { OLLIE_COPILOT_HEADERS: headers };
    expect(() => createCatalog({ env, paths })).toThrow('OLLIE_COPILOT_HEADERS: expected {"Name": "value", ...}');
  });

  it.each(['localhost:9000', 'ftp://u:pw@h', 'x', '/v1'])(
    'an address that is none of HTTP (%s) is told at the start, and not shown',
    (url) => {
      const start = (): unknown => createCatalog({ env: { OLLIE_ANTHROPIC_URL: url }, paths });
      expect(start).toThrow(/^OLLIE_ANTHROPIC_URL: expected a URL of http or https, as http:\/\/127.0.0.1:8000\/v1$/);
    },
  );

  it.each(['many', '0', '-1', '1.5'])('a window of Ollama that is none (%s) is told at the start', (tokens) => {
    expect(() => createCatalog({ env: { OLLIE_OLLAMA_NUM_CTX: tokens }, paths })).toThrow(
      'OLLIE_OLLAMA_NUM_CTX: expected a number of tokens',
    );
  });

  it('OLLIE_BACKEND that names nothing configured is warned of at the start', () => {
    const warned = (env: Record<string, string>): readonly string[] => {
      const lines: string[] = [];
      createCatalog({ env, paths, log: { ...silentLog, warn: (line) => void lines.push(line) } });
      return lines;
    };
    expect(warned({ OLLIE_BACKEND: 'opnai', OLLIE_OPENAI_KEY: 'sk' })).toEqual([
      'OLLIE_BACKEND=opnai: no such backend is configured; there are: openai scripted',
    ]);
    expect(warned({ OLLIE_BACKEND: 'openai', OLLIE_OPENAI_KEY: 'sk' })).toEqual([]);
    expect(warned({})).toEqual([]);
  });

  it('OLLIE_MODEL belongs to the backend that OLLIE_BACKEND names, else to the real ones', () => {
    const models = (env: Record<string, string>): unknown => {
      const catalog = createCatalog({ env: { OLLIE_OPENAI_KEY: 'sk', OLLIE_ANTHROPIC_KEY: 'sk', ...env }, paths });
      return catalog.names().map((name) => catalog.get(name).defaultModel);
    };
    expect(models({})).toEqual([undefined, undefined, 'default']);
    expect(models({ OLLIE_MODEL: 'm' })).toEqual(['m', 'm', 'default']);
    expect(models({ OLLIE_MODEL: 'm', OLLIE_BACKEND: 'openai' })).toEqual(['m', undefined, 'default']);
    expect(models({ OLLIE_MODEL: 'm', OLLIE_BACKEND: 'anthropic' })).toEqual([undefined, 'm', 'default']);
    expect(models({ OLLIE_MODEL: 'demo', OLLIE_BACKEND: 'scripted' })).toEqual([undefined, undefined, 'demo']);
  });

  it('white space around a setting is none of it', () => {
    const env = { OLLIE_OPENAI_KEY: 'sk', OLLIE_BACKEND: 'openai\n', OLLIE_MODEL: ' m\r\n' };
    expect(createCatalog({ env, paths }).preferred()?.defaultModel).toBe('m');
  });

  it('the packaged scripts are listed', async () => {
    const models = await createCatalog({ env: {}, paths }).models(new AbortController().signal);
    expect(models).toEqual([
      ['scripted', 'default'],
      ['scripted', 'demo'],
    ]);
  });
});
