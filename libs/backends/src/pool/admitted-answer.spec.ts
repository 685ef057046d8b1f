import type { StreamEvent } from '#model';
import { AdmittedAnswer, type BegunAnswer } from './admitted-answer.js';

const text = (said: string): StreamEvent => ({ type: 'text', text: said });

/** An answer of one event that was taken and those of `rest`, and what was heard of it. */
function answerOf(rest: () => AsyncIterator<StreamEvent, unknown>): { readonly begun: BegunAnswer; readonly heard: string[] } {
  const heard: string[] = [];
  return {
    heard,
    begun: { first: [text('a')], rest: rest(), failed: (error) => void heard.push(String(error)), ended: () => void heard.push('ended') },
  };
}

async function* two(heard: string[]): AsyncGenerator<StreamEvent, void> {
  try {
    yield text('b');
    yield text('c');
  } finally {
    heard.push('returned');
  }
}

async function* broken(): AsyncGenerator<StreamEvent, void> {
  yield text('b');
  throw new Error('lost');
}

async function heardOf(answer: AsyncIterable<StreamEvent>): Promise<string[]> {
  const said: string[] = [];
  for await (const event of answer) said.push(event.type === 'text' ? event.text : event.type);
  return said;
}

describe('an answer that was admitted', () => {
  it('gives what was taken and the rest, and ends once', async () => {
    const { begun, heard } = answerOf(() => two([]));
    const answer = new AdmittedAnswer(async () => begun);
    expect(await heardOf(answer)).toEqual(['a', 'b', 'c']);
    expect(heard).toEqual(['ended']);
    expect(await answer.next()).toEqual({ done: true, value: undefined });
    expect(heard).toEqual(['ended']);
  });

  it('ends with its failure, which is told', async () => {
    const { begun, heard } = answerOf(broken);
    const answer = new AdmittedAnswer(async () => begun);
    await expect(heardOf(answer)).rejects.toThrow('lost');
    expect(heard).toEqual(['Error: lost', 'ended']);
    expect(await answer.next()).toEqual({ done: true, value: undefined });
  });

  it.each([1, 2])('lets go of the rest when no more is wanted (after %i)', async (count) => {
    const returned: string[] = [];
    const { begun, heard } = answerOf(() => two(returned));
    const answer = new AdmittedAnswer(async () => begun);
    for (let taken = 0; taken < count; taken += 1) await answer.next();
    await answer.return();
    expect(heard).toEqual(['ended']);
    expect(returned).toHaveLength(count - 1); // a generator that has not begun has nothing to end
    expect(await answer.next()).toEqual({ done: true, value: undefined });
  });

  it('ends also when no more is wanted while it opens', async () => {
    let open = (_begun: BegunAnswer): void => undefined;
    const { begun, heard } = answerOf(() => two([]));
    const answer = new AdmittedAnswer(() => new Promise((resolve) => (open = resolve)));
    const first = answer.next();
    await answer.return();
    open(begun);
    expect(await first).toEqual({ done: true, value: undefined });
    expect(heard).toEqual(['ended']);
  });

  it('is over when it cannot be opened', async () => {
    const answer = new AdmittedAnswer(() => Promise.reject(new Error('refused')));
    await expect(answer.next()).rejects.toThrow('refused');
    expect(await answer.next()).toEqual({ done: true, value: undefined });
  });
});
