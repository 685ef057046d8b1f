import { ConfigError } from '#config';
import type { BackendEntry } from './backend-entry.js';
import { readBackends } from './read-backends.js';

const FILE = '/c/config.json';
const acme = { name: 'acme', dialect: 'openai-chat' };

function read(...backends: readonly object[]): readonly BackendEntry[] {
  return readBackends({ backends }, FILE, (name) => name === 'openai');
}

const nothing = { url: undefined, key: undefined, tokenFile: undefined, profileArn: undefined, headers: {}, concurrency: undefined };

function deep(levels: number): unknown {
  let value: unknown = [];
  for (let i = 0; i < levels; i += 1) value = [value];
  return value;
}

describe('backends in config.json', () => {
  it('there are none without a file, and none in an empty one', () => {
    for (const value of [undefined, {}, { backends: [] }]) expect(readBackends(value, FILE, () => false)).toEqual([]);
  });

  it('all that an entry can say', () => {
    const [entry] = read({
      ...acme,
      url: 'https://acme.example/v1',
      key: ' sk-1\n',
      headers: { 'X-Team': 'tools' },
      defaultModel: 'm',
      concurrency: 4,
      idleTimeout: '10m',
      progressTimeout: '1h',
    });
    expect(entry).toEqual({
      ...acme,
      defaultModel: 'm',
      concurrency: 4,
      patience: { idleMs: 600_000, progressMs: 3_600_000 },
      accounts: [
        { name: 'default', url: 'https://acme.example/v1', key: { text: 'sk-1' }, headers: { 'x-team': 'tools' }, concurrency: 4 },
      ],
    });
  });

  it('where the token of Copilot is exchanged', () => {
    const url = 'https://acme.example/token';
    const entries = read(
      { name: 'copilot', exchange: { url, headers: { 'X-A': 'a' } } },
      { name: 'acme', dialect: 'copilot', exchange: { url } },
    );
    expect(entries.map(({ exchange }) => exchange)).toEqual([{ url, headers: { 'x-a': 'a' } }, { url }]);
  });

  it('what accounts leave out is as their backend says', () => {
    const [entry] = read({
      ...acme,
      url: 'https://acme.example/v1',
      headers: { a: '1', b: '1' },
      concurrency: 4,
      accounts: [
        { name: 'me', key: 'sk-1' },
        { name: 'team', keyCommand: ['pass', 'show', 'acme'], url: 'http://10.0.0.2', headers: { B: '2' }, concurrency: 1 },
      ],
    });
    expect(entry?.accounts).toEqual([
      { name: 'me', key: { text: 'sk-1' }, url: 'https://acme.example/v1', headers: { a: '1', b: '1' }, concurrency: 4 },
      { name: 'team', key: { command: ['pass', 'show', 'acme'] }, url: 'http://10.0.0.2', headers: { a: '1', b: '2' }, concurrency: 1 },
    ]);
  });

  it('what only Kiro has', () => {
    const accounts = [
      { name: 'a', tokenFile: '~/t' },
      { name: 'b', key: 'k', profileArn: 'arn:2' },
    ];
    expect(read({ name: 'kiro', origin: 'CLI', profileArn: 'arn:1', accounts })).toMatchObject([
      { origin: 'CLI', accounts: [{ tokenFile: '~/t', profileArn: 'arn:1' }, { key: { text: 'k' }, profileArn: 'arn:2' }] }, // prettier-ignore
    ]);
  });

  it('a backend of a known name speaks as that one; one that says nothing else is what the environment makes of it', () => {
    const entries = read({ name: 'anthropic', key: 'sk' }, { name: 'openai', concurrency: 2 }, { name: 'openrouter' });
    expect(entries.map(({ name, dialect, accounts }) => [name, dialect, accounts])).toEqual([
      ['anthropic', 'anthropic', [{ ...nothing, name: 'default', key: { text: 'sk' } }]],
      ['openai', 'openai', undefined],
      ['openrouter', 'openai-chat', [{ ...nothing, name: 'default' }]],
    ]);
  });

  it('who waits long for a byte waits as long for one of substance', () => {
    const patience = read({ ...acme, idleTimeout: '20m' }, { ...acme, name: 'b', progressTimeout: '5m' }).map((entry) => entry.patience);
    expect(patience).toEqual([{ idleMs: 1_200_000, progressMs: 1_200_000 }, { progressMs: 300_000 }]);
  });

  it.each<[string, unknown, string]>([
    ['a list', [], 'expected a mapping'],
    ['another key', { backend: [] }, 'unknown key backend; known are backends'],
    ['no list', { backends: { acme: {} } }, 'backends: expected a list'],
    ['no mapping', { backends: ['acme'] }, 'backends 1: expected a mapping'],
    ['no name', { backends: [{ dialect: 'anthropic' }] }, 'backends 1: name: expected text'],
    ['a bad name', { backends: [{ name: 'a/b' }] }, 'backends 1: name: not a name: "a/b"'],
    ['a name twice', { backends: [acme, acme] }, 'backends: acme is there twice'],
    ['the name scripted', { backends: [{ name: 'scripted' }] }, 'backends 1: name: scripted is always there and cannot be another'],
  ])('refuses %s', (_name, value, why) => {
    expect(() => readBackends(value, FILE, () => false)).toThrow(new ConfigError(`${FILE}: ${why}`));
  });

  it.each<[string, object, RegExp]>([
    ['an unknown key', { apiKey: 'sk-secret' }, /backends 1: unknown key apiKey; known are name, dialect, .*keyCommand/],
    ['no dialect', { dialect: null }, /backends 1: dialect: expected one of openai, openai-chat/],
    ['an unknown dialect', { dialect: 'smoke' }, /backends 1: dialect: expected one of openai/],
    ['no URL', { url: 'acme' }, /backends 1: url: not a URL/],
    ['a URL of a file', { url: 'file:///etc' }, /backends 1: url: expected a URL of http or https/],
    ['a URL with a password', { url: 'https://me:sk-secret@acme.example' }, /backends 1: url: a URL holds no name and no password/],
    ['a URL with a query', { url: 'https://acme.example?k=sk-secret' }, /backends 1: url: expected what stands before the path/],
    ['an empty key', { key: ' ' }, /backends 1: key: expected a key/],
    ['a key of two words', { key: 'Bearer sk-secret' }, /backends 1: key: expected a key: printable characters without white space/],
    ['a key that is none', { key: { env: 'sk-secret' } }, /backends 1: key: expected text/],
    ['key and command', { key: 'sk-secret', keyCommand: ['x'] }, /backends 1: keyCommand: there is a key already/],
    ['a command in one string', { keyCommand: 'pass show sk-secret' }, /backends 1: keyCommand: expected a list/],
    ['a command with NUL', { keyCommand: ['pass', 'sk-secret\0'] }, /backends 1: keyCommand: holds a character that no argument can have/],
    ['a body that nobody takes', { dialect: 'openai-chat', quirks: { body: { a: deep(9_999) } } }, /quirks: body: a.*: nested too deeply/],
    ['an empty command', { keyCommand: [] }, /backends 1: keyCommand: expected a program and its arguments/],
    ['a bad header', { headers: { 'a b': 'c' } }, /backends 1: headers: a b: not the name of a header/],
    ['a header of ours', { headers: { 'Content-Length': '1' } }, /backends 1: headers: Content-Length: this header cannot be set/],
    ['a header on two lines', { headers: { a: 'sk-secret\nb: c' } }, /backends 1: headers: a: holds a character/],
    ['quirks of another dialect', { dialect: 'anthropic', quirks: {} }, /backends 1: quirks: only a dialect of OpenAI has any/],
    ['a window of another dialect', { numCtx: 8_192 }, /backends 1: numCtx: only the dialect ollama has one/],
    ['a window of nothing', { dialect: 'ollama', numCtx: 0 }, /backends 1: numCtx: expected a whole number from 1/],
    [
      'an exchange of another dialect',
      { exchange: { url: 'https://acme.example' } },
      /backends 1: exchange: only the dialect copilot has one/,
    ],
    ['an exchange nowhere', { dialect: 'copilot', exchange: { url: 'acme' } }, /backends 1: exchange: url: not a URL/],
    ['a login of another dialect', { tokenFile: '~/t' }, /backends 1: tokenFile: only the dialect kiro has one/],
    [
      'a login of another dialect in an account',
      { accounts: [{ name: 'a', tokenFile: 't' }] },
      /accounts 1: tokenFile: only the dialect kiro/,
    ],
    ['a login beside accounts', { dialect: 'kiro', tokenFile: 't', accounts: [{ name: 'a' }] }, /backends 1: tokenFile: every one of/],
    ['no place at all', { concurrency: 0 }, /backends 1: concurrency: expected a whole number from 1/],
    ['an empty model', { defaultModel: '' }, /backends 1: defaultModel: expected text that is not empty/],
    ['a time without a unit', { idleTimeout: '90' }, /backends 1: idleTimeout: expected a duration, as 90s or 5m/],
    ['no time', { progressTimeout: '0' }, /backends 1: progressTimeout: expected something from 1ms to 24h/],
    ['no accounts', { accounts: [] }, /backends 1: accounts: expected at least one/],
    ['an account without a name', { accounts: [{ key: 'sk-secret' }] }, /backends 1: accounts 1: name: expected text/],
    ['an account twice', { accounts: [{ name: 'a' }, { name: 'a' }] }, /backends 1: accounts: a is there twice/],
    [
      'an unknown key of an account',
      { accounts: [{ name: 'a', model: 'm' }] },
      /backends 1: accounts 1: unknown key model; known are name, key/,
    ],
    ['a key beside accounts', { key: 'sk-secret', accounts: [{ name: 'a' }] }, /backends 1: key: every one of the accounts has its own/],
    [
      'headers for the environment',
      { name: 'openai', headers: { a: 'b' }, dialect: null },
      /backends 1: headers: expected url, key or keyCommand/,
    ],
    [
      'another dialect for it',
      { name: 'openai' },
      /backends 1: dialect: expected url, key or keyCommand as well: openai is set by the env/,
    ],
  ])('refuses %s, and shows no key', (_name, more, why) => {
    const message = refusalOf(() => read({ ...acme, ...more }));
    expect(message).toMatch(why);
    expect(message.startsWith(`${FILE}: `) && !message.includes('sk-secret')).toBe(true);
  });
});

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('not refused');
}
