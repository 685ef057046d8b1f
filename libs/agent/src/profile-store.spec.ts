import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Paths, silentLog, type Log } from '#config';
import { ProfileStore } from './profile-store.js';

let root: string;
let store: ProfileStore;
let warnings: string[];

function put(name: string, content: unknown): void {
  writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'profiles-'));
  for (const name of ['agents', 'more', 'prompts']) mkdirSync(join(root, name));
  const env = {
    HOME: root,
    OLLIE_AGENTS_PATH: `${join(root, 'agents')}:${join(root, 'absent')}:${join(root, 'more')}`,
    OLLIE_PROMPTS_PATH: join(root, 'prompts'),
  };
  warnings = [];
  const log: Log = { ...silentLog, warn: (text) => void warnings.push(text) };
  store = new ProfileStore(Paths.from(env), log);
});

afterEach(() => rmSync(root, { recursive: true }));

describe('ProfileStore', () => {
  it('has the packaged default, which loads the standard tools', () => {
    expect(store.names()).toEqual(['default', 'coding', 'observer']);
    expect(store.get('coding').autoLoad).toEqual(['client_9p', 'file_edit', 'file_read', 'file_write', 'shell']);
    expect(store.get('observer')).toMatchObject({ feed: 'prompt', maxSteps: 20 });
    expect(store.get('default').feed).toBe('manual');
    expect(store.get('default')).toMatchObject({
      name: 'default',
      backend: undefined,
      tools: true,
      autoLoad: ['client_9p', 'shell'],
      maxSteps: 0,
      params: {},
    });
    expect(store.get('default').systemPrompt).toMatch(/^You are Ollie/);
    expect(store.get('default').maxStepsNudge).toMatch(/^\[system\] /);
  });

  it('lists default first and the others sorted, and warns of impossible names', () => {
    for (const file of ['observer', 'coding', 'idx', 'a b']) put(`agents/${file}.json`, {});
    put('agents/notes.txt', '');
    expect(store.names()).toEqual(['default', 'coding', 'observer']);
    expect(warnings).toHaveLength(2);
  });

  it('reads all keys', () => {
    put('prompts/own.md', 'Own system.\n');
    put('prompts/coding.md', 'Code well.\n');
    put('agents/coding.json', {
      systemPrompt: 'own.md',
      prompt: 'coding.md',
      backend: 'openai',
      model: 'm',
      tools: ['file_*'],
      autoLoad: ['file_read'],
      maxSteps: 3,
      temperature: 0.2,
      stop: ['x'],
      responseFormat: { type: 'json_object' },
      includeReasoning: false,
    });
    expect(store.get('coding')).toMatchObject({
      name: 'coding',
      systemPrompt: 'Own system.\n\nCode well.',
      backend: 'openai',
      model: 'm',
      tools: ['file_*'],
      autoLoad: ['file_read'],
      maxSteps: 3,
    });
    expect(store.get('coding').params).toStrictEqual({
      temperature: 0.2,
      stop: ['x'],
      responseFormat: { type: 'json_object' },
      includeReasoning: false,
    });
  });

  it('takes prompts that are text as text', () => {
    put('agents/a.json', { systemPrompt: 'One\nTwo', prompt: 'Be kind.' });
    expect(store.get('a').systemPrompt).toBe('One\nTwo\n\nBe kind.');
    expect(store.get('a').autoLoad).toContain('shell');
  });

  it('takes a prompt for text that is too long for the name of a file', () => {
    const prompt = 'Be kind. '.repeat(1000).trim();
    put('agents/a.json', { systemPrompt: 'One\nTwo', prompt });
    expect(store.get('a').systemPrompt).toBe(`One\nTwo\n\n${prompt}`);
    put('agents/b.json', { systemPrompt: prompt });
    expect(() => store.get('b')).toThrow(/^illegal value: systemPrompt=Be kind.* no such file/);
    put('agents/c.json', { systemPrompt: 'One\nTwo', prompt: 'a\0b' });
    expect(store.get('c').systemPrompt).toBe('One\nTwo\n\na\0b');
  });

  it('lets the first directory win', () => {
    put('agents/default.json', { model: 'mine' });
    put('more/default.json', { model: 'other' });
    put('more/only.json', { model: 'more' });
    expect(store.get('default').model).toBe('mine');
    expect(store.get('only').model).toBe('more');
  });

  it('keeps what it has read until it is invalidated', () => {
    put('agents/a.json', { model: '1' });
    expect([store.get('a').model, store.names().length]).toEqual(['1', 4]);
    put('agents/a.json', { model: '2' });
    put('agents/b.json', {});
    expect([store.get('a').model, store.names().length]).toEqual(['1', 4]);
    store.invalidate();
    expect([store.get('a').model, store.names().length]).toEqual(['2', 5]);
  });

  it.each(['nobody', '../secret', 'new', ''])('does not have a profile %j', (name) => {
    put('secret.json', {});
    expect(() => store.get(name)).toThrow(`no such profile: ${name}`);
  });

  it.each<[string, unknown, RegExp]>([
    ['an unknown key', { temprature: 1 }, /^illegal key: temprature in .*agents\/bad\.json$/],
    ['a value of the wrong type', { temperature: 'hot' }, /^illegal value: temperature="hot" in .*bad\.json: temperature must be a number/],
    ['null', { model: null }, /^illegal value: model=null in .*bad\.json/],
    ['a limit below zero', { maxSteps: -1 }, /^illegal value: maxSteps=-1 in .*bad\.json/],
    ['a list of no strings', { autoLoad: [1] }, /^illegal value: autoLoad=\[1\] in .*bad\.json/],
    ['an offer that is none', { tools: 'all' }, /^illegal value: tools="all" in .*bad\.json: tools must be true, false, or a list/],
    [
      'a system prompt that is not there',
      { systemPrompt: 'gone.md' },
      /^illegal value: systemPrompt=gone\.md in .*bad\.json: no such file/,
    ],
    ['a command', { prompt: '!date' }, /^illegal value: prompt=!date in .*bad\.json: commands are not run$/],
    ['no object', [], /^illegal value: .*bad\.json: a profile is one JSON object$/],
    ['no JSON', '{', /^illegal value: .*bad\.json: /],
  ])('refuses %s, naming file and key', (_what, content, message) => {
    put('agents/bad.json', content);
    expect(() => store.get('bad')).toThrow(message);
    expect(store.names()).toContain('bad');
  });
});
