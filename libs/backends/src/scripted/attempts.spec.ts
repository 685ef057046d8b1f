import { userText, type ModelRequest } from '#model';
import { Attempts } from './attempts.js';

const place = (name: string): ModelRequest => ({ model: 'm', system: '', messages: [userText(name)], tools: [], params: {} });

describe('attempts', () => {
  it('are counted for each place of each conversation', () => {
    const attempts = new Attempts();
    attempts.count(place('a'));
    attempts.count(place('a'));
    expect(['a', 'b'].map((name) => attempts.of(place(name)))).toEqual([2, 0]);
  });

  it('are kept of 1024 places, the one that was used last longest', () => {
    const attempts = new Attempts();
    for (let i = 0; i < 1024; i += 1) attempts.count(place(String(i)));
    attempts.count(place('0'));
    attempts.count(place('new'));
    expect(['0', '1', '2', 'new'].map((name) => attempts.of(place(name)))).toEqual([2, 0, 1, 1]);
  });
});
