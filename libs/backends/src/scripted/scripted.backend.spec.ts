import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestError, userText, type ModelRequest, type StreamEvent } from '#model';
import { describeBackend } from '#testkit';
import { ScriptLibrary, scriptsByName } from './library.js';
import { parseScript } from './parse-script.js';
import { ScriptedBackend } from './scripted.backend.js';
import { ScriptedModel } from './scripted-model.js';

describeBackend('scripted in the process', async (script) => {
  const model = new ScriptedModel(scriptsByName({ conformance: parseScript(script, 'conformance') }));
  return { backend: new ScriptedBackend(model, 'conformance', { idleMs: 1_000, progressMs: 1_000 }), close: async () => undefined };
});

describe('the scripted backend', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ollie-scripts-'));
  const backend = new ScriptedBackend(new ScriptedModel(new ScriptLibrary([directory])), 'default');
  afterAll(() => rmSync(directory, { recursive: true }));

  const request = (model: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
    model,
    system: '',
    messages: [userText('go')],
    tools: [],
    params: {},
    ...more,
  });
  const play = async (what: ModelRequest): Promise<readonly StreamEvent[]> => {
    const events: StreamEvent[] = [];
    for await (const event of backend.stream(what, new AbortController().signal)) events.push(event);
    return events;
  };

  const textOf = (events: readonly StreamEvent[]): string => events.map((event) => (event.type === 'text' ? event.text : '')).join('');

  it('lets go of the signal when the answer is over', async () => {
    const short = new ScriptedBackend(new ScriptedModel(scriptsByName({ m: parseScript({ steps: [{ say: 'hi' }] }, 'm') })), 'm');
    const { signal } = new AbortController();
    for await (const event of short.stream(request('m'), signal)) if (event.type === 'text') break;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('refuses a model without a script as a provider would', async () => {
    await expect(play(request('nobody'))).rejects.toMatchObject({ name: 'RequestError', failure: { status: 404, kind: 'not_found' } });
  });

  it('names file and place of what is wrong in a script', async () => {
    writeFileSync(join(directory, 'broken.yaml'), 'steps:\n  - say: a\n  - sya: b\n');
    const error = await play(request('broken')).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(RequestError);
    expect(String(error)).toContain(`${join(directory, 'broken.yaml')}: step 2: unknown key sya`);
  });

  it('plays a file by its absolute path, and reads it anew when it has changed', async () => {
    const file = join(directory, 'mine.yaml');
    writeFileSync(file, 'order: any\nsteps: [{ say: one }]');
    expect(textOf(await play(request(file)))).toBe('[scripted] one');
    writeFileSync(file, 'order: any\nsteps: [{ say: number two }]');
    expect(textOf(await play(request(file)))).toBe('[scripted] number two');
  });

  it('lists the scripts of its directories, broken ones too', async () => {
    writeFileSync(join(directory, 'small.yaml'), 'contextLength: 50\nsteps: [{ say: ok }]');
    backend.invalidate();
    expect(await backend.models()).toEqual([{ id: 'broken' }, { id: 'mine' }, { id: 'small', contextLength: 50 }]);
  });

  it('refuses a request that does not fit the window of the script', async () => {
    const long = request('small', { messages: [userText('x'.repeat(1000))] });
    await expect(play(long)).rejects.toMatchObject({ name: 'ContextOverflowError', failure: { limitTokens: 50 } });
  });

  it('says when none of the steps fits, and what they wait for', async () => {
    writeFileSync(join(directory, 'picky.yaml'), 'steps: [{ when: { turn: 2 }, say: x }, { when: { lastUser: stop }, say: x }]');
    await expect(play(request('picky'))).rejects.toThrow(/no step fits: .*step 1 wants turn 2, this is 1; .*step 2 wants lastUser stop/);
  });

  it('an empty reply is an answer without anything', async () => {
    writeFileSync(join(directory, 'empty.yaml'), 'steps: [{ fail: { emptyReply: true } }]');
    expect((await play(request('empty'))).map(({ type }) => type)).toEqual(['start', 'usage', 'done']);
  });
});
