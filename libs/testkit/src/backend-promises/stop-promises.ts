import { getEventListeners } from 'node:events';
import { AbortedError, userText, type StreamEvent } from '#model';
import { failure, never, recording, requestOf, type Probe } from './probe.js';

/** How an answer ends that nobody wants any more. */
export function stopPromises(probe: Probe): void {
  it('an abort before the call sends nothing', async () => {
    const error = await failure(probe.backend.stream(requestOf([userText('long')]), AbortSignal.abort()));
    expect(error).toBeInstanceOf(AbortedError);
  });

  it('an abort ends the wait for the first text at once', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const started = performance.now();
    const error = await failure(probe.backend.stream(requestOf([userText('slow')]), controller.signal));
    expect(error).toBeInstanceOf(AbortedError);
    expect(performance.now() - started).toBeLessThan(2_000);
    await probe.quiet();
  });

  it('an abort in the middle keeps what came before and closes', async () => {
    const controller = new AbortController();
    const seen: StreamEvent[] = [];
    const error = await failure(abortingAtText(probe.backend.stream(requestOf([userText('drip')]), controller.signal), seen, controller));
    expect(error).toBeInstanceOf(AbortedError);
    expect(seen.some(({ type }) => type === 'text')).toBe(true);
    expect(seen.some(({ type }) => type === 'done')).toBe(false);
    await probe.quiet();
  });

  it('a consumer that stops reading closes the connection', async () => {
    const signal = never();
    for await (const event of probe.backend.stream(requestOf([userText('stall')]), signal)) {
      if (event.type === 'text') break; // the other side says no more, and would hold the connection for ever
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await probe.quiet();
    expect((await probe.reply(userText('echo on'))).text).toBe('[scripted] on');
  });
}

async function* abortingAtText(
  stream: AsyncIterable<StreamEvent>,
  seen: StreamEvent[],
  controller: AbortController,
): AsyncGenerator<StreamEvent> {
  for await (const event of recording(stream, seen)) {
    if (event.type === 'text') controller.abort();
    yield event;
  }
}
