import type { StreamEvent } from '#model';
import { addJoined } from './joined-deltas.js';

const text = (content: string): StreamEvent => ({ type: 'text', text: content });
const reasoning = (content: string): StreamEvent => ({ type: 'reasoning', text: content });
const start: StreamEvent = { type: 'start', responseId: 'r' };

describe('joined deltas', () => {
  it('joins neighbours of one kind and nothing else, in order', () => {
    const events = [start, text('a'), text('b'), reasoning('c'), reasoning('d'), text('e'), start, text('f')];
    const list: StreamEvent[] = [];
    addJoined(list, events.slice(0, 2));
    addJoined(list, events.slice(2));
    expect(list).toEqual([start, text('ab'), reasoning('cd'), text('e'), start, text('f')]);
  });
});
