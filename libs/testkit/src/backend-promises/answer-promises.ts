import { userText } from '#model';
import { LONG, WORLD } from './conformance-script.js';
import { assistant } from './messages.js';
import { never, type Probe } from './probe.js';

/** What comes of a request that is answered, and the models that can be asked. */
export function answerPromises(probe: Probe): void {
  it('text comes in deltas, and `done` is last', async () => {
    const { events, text } = await probe.reply(userText('long'));
    expect(text).toBe(`[scripted] ${LONG}`);
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(3);
    expect(events.at(-1)).toMatchObject({ type: 'done', stop: 'stop' });
  });

  it('text of every script of the world stays whole', async () => {
    expect((await probe.reply(userText('world'))).text).toBe(`[scripted] ${WORLD}`);
  });

  it('reasoning comes apart from text', async () => {
    const { events, text } = await probe.reply(userText('think'));
    expect(events.map((event) => (event.type === 'reasoning' ? event.text : '')).join('')).toBe('hm, let me see');
    expect(text).toBe('[scripted] I see');
  });

  it('usage counts what was read from the cache apart', async () => {
    const first = await probe.reply(userText('usage'));
    const second = await probe.reply(userText('usage'), assistant(first.text, []), userText('usage again'));
    expect(first.usage?.outputTokens).toBeGreaterThan(0);
    expect(second.usage?.cachedInputTokens).toBeGreaterThan(0);
    expect(second.usage?.inputTokens).toBeGreaterThan(0);
  });

  it('calls at the same time do not mix', async () => {
    const words = Array.from({ length: 20 }, (_, i) => `word-${i}`);
    const replies = await Promise.all(words.map(async (word) => await probe.reply(userText(`echo ${word}`))));
    expect(replies.map(({ text }) => text)).toEqual(words.map((word) => `[scripted] ${word}`));
  });

  it('models are listed, and cached until they are invalidated', async () => {
    const models = await probe.backend.models(never());
    expect(models).toMatchObject([{ id: 'conformance', contextLength: 100_000 }]);
    expect(await probe.backend.models(never())).toBe(models);
    probe.backend.invalidate();
    expect(await probe.backend.models(never())).not.toBe(models);
  });
}
