import fc from 'fast-check';
import type { AgentRole } from '#model';
import { textOf } from '#testkit';
import { emitBlock } from './emit.js';
import { parseMarkup } from './parse-markup.js';
import { plainBlock } from './plain-text.js';
import { Transcript } from './transcript.js';

const never = new AbortController().signal;

function chatOf(role: AgentRole, text: string, attributes = {}): string {
  const transcript = new Transcript();
  emitBlock(transcript.write, role, text, attributes);
  return textOf(transcript.plain);
}

describe('Transcript', () => {
  it('shows a turn in chat as the contract does', () => {
    const transcript = new Transcript();
    emitBlock(transcript.write, 'user', 'fix the bug');
    emitBlock(transcript.write, 'assistant', "I'll look.");
    emitBlock(transcript.write, 'call', '{"path":"main.go"}', { name: 'file_read' });
    emitBlock(transcript.write, 'tool', 'x\n'.repeat(120), { name: 'file_read', error: false });
    emitBlock(transcript.write, 'assistant', 'Fixed.\n');
    expect(textOf(transcript.plain)).toBe(
      'user: fix the bug\nI\'ll look.\n-> file_read({"path":"main.go"})\n<- file_read 120 lines\nFixed.\n',
    );
  });

  it('has a form in chat for every role', () => {
    expect(chatOf('error', 'no')).toBe('error: no\n');
    expect(chatOf('info', 'a')).toBe(':: a\n');
    expect(chatOf('retry', 'a')).toBe(':: a\n');
    expect(chatOf('limitretry', 'a')).toBe(':: a\n');
    expect(chatOf('maxsteps', 'a')).toBe(':: a\n');
    expect(chatOf('reasoning', 'a') + chatOf('usage', 'a') + chatOf('state', 'a')).toBe('');
    expect(chatOf('tool', 'a\nb', { name: 't', error: true })).toBe('<- t 2 lines error\n');
    expect(chatOf('tool', '', { name: 't', error: false })).toBe('<- t 0 lines\n');
    expect(chatOf('user', 'two\nlines\n')).toBe('user: two\nlines\n');
    expect(chatOf('user', '')).toBe('user: \n');
    expect(chatOf('assistant', '')).toBe('');
  });

  it('puts arguments on one line of at most 200 characters', () => {
    const line = chatOf('call', `{"a":"${'é'.repeat(300)}",\n  "b":1}`, { name: 't' });
    expect(line).toMatch(/^-> t\(\{"a":"é+…\)\n$/);
    expect(Array.from(line).length).toBe('-> t()\n'.length + 200);
    expect(chatOf('call', '{"a":\n  1}', { name: 't' })).toBe('-> t({"a": 1})\n');
  });

  it('takes a delta of millions of lines, and arguments of millions of words, without stopping the world', () => {
    const started = performance.now();
    const lines = '\\[[[\n'.repeat(2_000_000);
    const transcript = new Transcript();
    emitBlock(transcript.write, 'assistant', lines);
    expect(transcript.plain.length).toBe(lines.length);
    expect(transcript.raw.length).toBeGreaterThan(lines.length + 2_000_000);
    expect(chatOf('call', `{"a":"${'é '.repeat(5_000_000)}"}`, { name: 't' })).toMatch(/^-> t\(\{"a":"(é )+é?…\)\n$/);
    expect(performance.now() - started).toBeLessThan(8_000);
  });

  it('numbers the blocks', () => {
    const transcript = new Transcript();
    emitBlock(transcript.write, 'user', 'a', { ts: 5 });
    emitBlock(transcript.write, 'assistant', 'b');
    expect(parseMarkup(textOf(transcript.raw)).map(({ attributes }) => attributes)).toEqual([{ id: '1', ts: '5' }, { id: '2' }]);
  });

  it('gives each delta to the readers of both logs as it comes', async () => {
    const transcript = new Transcript();
    transcript.hold();
    transcript.write({ type: 'begin', role: 'assistant', attributes: {} });
    const raw = transcript.raw.at(transcript.raw.length, 100, { signal: never });
    const plain = transcript.plain.at(0, 100, { signal: never });
    transcript.write({ type: 'delta', text: 'Hel' });
    expect(String.fromCharCode(...(await raw))).toBe('[[[assistant id=1]]]\nHel');
    expect(String.fromCharCode(...(await plain))).toBe('Hel');
  });

  it('keeps a character together that is cut between two deltas', () => {
    const transcript = new Transcript();
    transcript.write({ type: 'begin', role: 'assistant', attributes: {} });
    transcript.write({ type: 'delta', text: 'a\ud83d' });
    transcript.write({ type: 'delta', text: '\ude00' });
    transcript.write({ type: 'end' });
    expect(textOf(transcript.plain)).toBe('a😀\n');
    expect(parseMarkup(textOf(transcript.raw))[0]?.content).toBe('a😀');
  });

  it('refuses blocks inside of blocks', () => {
    const transcript = new Transcript();
    expect(() => transcript.write({ type: 'delta', text: 'x' })).toThrow('outside');
    expect(() => transcript.write({ type: 'end' })).toThrow('outside');
    transcript.write({ type: 'begin', role: 'user', attributes: {} });
    expect(() => transcript.write({ type: 'begin', role: 'error', attributes: {} })).toThrow('inside');
  });

  it('has in chat exactly what chat.raw gives, for any deltas', () => {
    const role = fc.constantFrom<AgentRole>('user', 'assistant', 'reasoning', 'call', 'tool', 'error', 'info', 'usage');
    const delta = fc.string({ unit: fc.constantFrom('[', '\\', '\n', 'a', '\ud83d', '\ude00', 'é') });
    fc.assert(
      fc.property(fc.array(fc.tuple(role, fc.array(delta, { maxLength: 5 })), { maxLength: 5 }), (blocks) => {
        const transcript = new Transcript();
        for (const [name, deltas] of blocks) {
          transcript.write({ type: 'begin', role: name, attributes: { name: 't' } });
          for (const text of deltas) transcript.write({ type: 'delta', text });
          transcript.write({ type: 'end' });
        }
        const parsed = parseMarkup(textOf(transcript.raw));
        expect(parsed.map(({ content }) => content)).toEqual(blocks.map(([, deltas]) => Buffer.from(deltas.join('')).toString()));
        const derived = blocks.map(([name], index) => {
          const plain = plainBlock(name, { name: 't' });
          return plain === undefined
            ? ''
            : plain.begin() + (parsed[index]?.content ? plain.delta(parsed[index].content) : '') + plain.end();
        });
        expect(textOf(transcript.plain)).toBe(derived.join(''));
      }),
    );
  });
});
