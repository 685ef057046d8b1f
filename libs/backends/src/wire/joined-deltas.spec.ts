import type { StreamEvent } from '#model';
import { joinedDeltas } from './joined-deltas.js';

const text = (content: string): StreamEvent => ({ type: 'text', text: content });
const reasoning = (content: string): StreamEvent => ({ type: 'reasoning', text: content });
const start: StreamEvent = { type: 'start', responseId: 'r' };

describe('joined deltas', () => {
  it('joins neighbours of one kind and nothing else, in order', () => {
    const events = [start, text('a'), text('b'), reasoning('c'), reasoning('d'), text('e'), start, text('f')];
    expect([...joinedDeltas(events)]).toEqual([start, text('ab'), reasoning('cd'), text('e'), start, text('f')]);
    expect([...joinedDeltas([])]).toEqual([]);
  });

  it('gives what came before a failure', () => {
    function* failing(): Generator<StreamEvent> {
      yield* [text('a'), text('b')];
      throw new Error('broken');
    }
    const seen: StreamEvent[] = [];
    expect(() => {
      for (const event of joinedDeltas(failing())) seen.push(event);
    }).toThrow('broken');
    expect(seen).toEqual([text('ab')]);
  });
});
