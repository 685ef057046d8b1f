import fc from 'fast-check';
import { SseDecoder } from './sse.js';

function decode(pieces: readonly string[]): readonly string[] {
  const decoder = new SseDecoder();
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()];
}

describe('server-sent events', () => {
  it.each([
    ['a space after the colon is not data', 'data: a\n\ndata:b\n\ndata:  c\n\n', ['a', 'b', ' c']],
    ['lines of one event are joined', 'data: a\ndata: b\n\n', ['a\nb']],
    ['CR, LF and CRLF end lines', 'data: a\r\rdata: b\r\n\r\ndata: c\n\n', ['a', 'b', 'c']],
    ['comments and other fields are passed over', ': ping\n\nevent: x\nid: 1\ndata: a\nretry: 5\n\n:\n', ['a']],
    ['an event that is not closed comes at the end', 'data: a\n\ndata: b', ['a', 'b']],
    ['an empty data line is an event', 'data\n\n', ['']],
    ['an event whose last line has a CR alone comes at the end', 'data: a\r', ['a']],
    ['a byte order mark is no part of a field', '\uFEFFdata: a\n\n', ['a']],
    ['nothing is nothing', '', []],
  ])('%s', (_name, text, events) => {
    expect(decode([text])).toEqual(events);
  });

  it('gives an event as soon as its empty line is there', () => {
    const decoder = new SseDecoder();
    expect(decoder.push('data: a\n')).toEqual([]);
    expect(decoder.push('\n')).toEqual(['a']);
  });

  it('counts what came since the last event, so that an event without an end can be refused', () => {
    const decoder = new SseDecoder();
    decoder.push('data: a\n\ndata: b');
    for (let i = 0; i < 10; i += 1) decoder.push('data: c\n');
    expect(decoder.unfinished).toBe(80);
    decoder.push('\n');
    expect(decoder.unfinished).toBe(0);
  });

  it('cuts do not matter, wherever they are', () => {
    const line = fc.constantFrom('data: x', 'data:y', ': c', '', 'data', 'event: e', 'data: ü🌍', '\r');
    const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 20 });
    fc.assert(
      fc.property(lines, fc.array(fc.nat(), { maxLength: 20 }), (parts, cuts) => {
        const text = parts.flat().join('');
        const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
        const pieces = [0, ...places].map((start, i) => text.slice(start, places[i]));
        expect(decode(pieces)).toEqual(decode([text]));
      }),
    );
  });

  it.each(['\r', '\n', '\r\n'])('very many lines that end in %j take time in proportion', (end) => {
    const started = performance.now();
    expect(decode([`:${end}`.repeat(1_000_000)])).toEqual([]);
    expect(performance.now() - started).toBeLessThan(4_000);
  });

  it('a long line that comes byte by byte is not searched again and again', () => {
    const decoder = new SseDecoder();
    const started = performance.now();
    decoder.push('data: ');
    for (let i = 0; i < 1_000_000; i += 1) decoder.push('x');
    expect(decoder.push('\n\n')[0]).toHaveLength(1_000_000);
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});
