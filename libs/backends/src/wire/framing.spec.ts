import { crc32 } from 'node:zlib';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import fc from 'fast-check';
import { TransientError, type JsonValue } from '#model';
import { EventStreamFraming } from './event-stream-framing.js';
import type { Framing } from './framing.js';
import { LineFraming } from './line-framing.js';
import { SseFraming } from './sse-framing.js';

type Kind = 'lines' | 'sse' | 'event stream';

const codec = new EventStreamCodec(String, (text) => Buffer.from(text, 'utf8'));

function message(headers: Readonly<Record<string, string>>, body: string): Buffer {
  const typed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { type: 'string', value } as const]));
  return Buffer.from(codec.encode({ headers: typed, body: Buffer.from(body, 'utf8') }));
}

const written: Readonly<Record<Kind, (value: JsonValue) => Buffer>> = {
  lines: (value) => Buffer.from(`${JSON.stringify(value)}\r\n`),
  sse: (value) => Buffer.from(`data: ${JSON.stringify(value)}\n\n`),
  'event stream': (value) => message({ ':message-type': 'event', ':event-type': 'e' }, JSON.stringify(value)),
};

function framing(kind: Kind): Framing {
  if (kind === 'event stream') return new EventStreamFraming('acme');
  return kind === 'lines' ? new LineFraming('acme') : new SseFraming('acme');
}

/** What pieces amount to: the events, and the failure that they end with. */
function read(framing: Framing, pieces: readonly Buffer[]): { readonly events: readonly JsonValue[]; readonly failure?: string } {
  const events: JsonValue[] = [];
  const take = (event: JsonValue): void => void events.push(event);
  try {
    for (const piece of pieces) framing.push(piece, take);
    framing.end(take);
    return { events };
  } catch (error) {
    if (!(error instanceof TransientError)) throw error;
    return { events, failure: `${error.failure.kind}: ${error.message}` };
  }
}

function cut(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [...new Set(cuts.map((at) => at % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...places].map((start, i) => bytes.subarray(start, places[i]));
}

const KINDS: readonly Kind[] = ['lines', 'sse', 'event stream'];
const documents = fc.array(
  fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 40 }), { maxKeys: 3 }),
  { maxLength: 8 },
);

describe.each(KINDS)('a body of %s', (kind) => {
  it('amounts to the same wherever it is cut', () => {
    fc.assert(
      fc.property(documents, fc.array(fc.nat(), { maxLength: 30 }), (values, cuts) => {
        const body = Buffer.concat(values.map(written[kind]));
        const events = values.map((value) => (kind === 'event stream' ? { kind: 'event', name: 'e', payload: value } : value));
        expect(read(framing(kind), cut(body, cuts))).toEqual({ events });
      }),
    );
  });

  it('that breaks off gives the whole events before, and fails or ends wherever it is cut', () => {
    const whole = Buffer.concat([written[kind]({ a: 'ä' }), written[kind]({ b: '🌍' })]);
    fc.assert(
      fc.property(fc.nat({ max: whole.length }), fc.array(fc.nat(), { maxLength: 10 }), (length, cuts) => {
        const body = whole.subarray(0, length);
        expect(read(framing(kind), cut(body, cuts))).toEqual(read(framing(kind), [body]));
      }),
    );
  });

  it('is told apart from garbage, whatever that is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(), { maxLength: 10 }), (garbage, cuts) => {
        const body = Buffer.from(garbage);
        expect(read(framing(kind), cut(body, cuts))).toEqual(read(framing(kind), [body]));
      }),
    );
  });

  it('may be long and come byte by byte: it is not searched again and again', () => {
    const body = written[kind]({ long: 'x'.repeat(1_000_000) });
    const framed = framing(kind);
    const started = performance.now();
    const { events } = read(
      framed,
      Array.from(body, (_byte, at) => body.subarray(at, at + 1)),
    );
    expect(events).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(4_000);
  });

  it('says how much it holds', () => {
    const framed = framing(kind);
    framed.push(written[kind]('x'.repeat(100)).subarray(0, 90), () => undefined);
    expect(framed.unfinished).toBe(90);
  });
});

describe('lines', () => {
  it.each([
    ['empty ones are passed over', '\n{"a":1}\n \r\n\n{"b":2}\n', { events: [{ a: 1 }, { b: 2 }] }],
    ['the last one needs no end', '{"a":1}\n{"b":2}', { events: [{ a: 1 }, { b: 2 }] }],
    ['a cut one is none', '{"a":1}\n{"b":', { events: [{ a: 1 }] }],
    ['a byte order mark is no part of them', '\uFEFF{"a":1}\n', { events: [{ a: 1 }] }],
    ['what is no JSON fails after those before', '{"a":1}\noops\n', { events: [{ a: 1 }], failure: 'malformed: acme: answer is not JSON' }],
  ])('%s', (_what, text, expected) => {
    expect(read(new LineFraming('acme'), [Buffer.from(text)])).toEqual(expected);
  });
});

describe('an event stream', () => {
  const one = message({ ':message-type': 'event', ':event-type': 'e', ':content-type': 'application/json' }, '{"a":1}');
  const event = { kind: 'event', name: 'e', payload: { a: 1 } };

  it.each([
    [
      'an exception has a payload',
      { ':message-type': 'exception', ':exception-type': 'Slow' },
      '{"message":"no"}',
      ['exception', 'Slow', { message: 'no' }],
    ],
    [
      'an error says all in its headers',
      { ':message-type': 'error', ':error-code': '500', ':error-message': 'oh' },
      '',
      ['error', '500', { message: 'oh' }],
    ],
    ['no payload is an empty one', { ':message-type': 'event', ':event-type': 'e' }, '', ['event', 'e', {}]],
    [
      'what is no JSON stays text',
      { ':message-type': 'event', ':event-type': 'e', ':content-type': 'text/plain' },
      'hi',
      ['event', 'e', 'hi'],
    ],
    ['what has no headers is an event without a name', {}, '{}', ['event', '', {}]],
  ])('%s', (_what, headers, body, [kind, name, payload]) => {
    expect(read(new EventStreamFraming('acme'), [message(headers, body)])).toEqual({ events: [{ kind, name, payload }] });
  });

  it('each byte that is changed is noticed, after the events before', () => {
    for (let at = 0; at < one.length; at += 1) {
      const changed = Buffer.from(one);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const { events, failure } = read(new EventStreamFraming('acme'), [one, changed]);
      expect([events, failure]).toEqual([[event], expect.stringMatching(/^malformed: acme: /)]);
    }
  });

  it('a wrong length is not waited for', () => {
    const framed = new EventStreamFraming('acme');
    expect(() => framed.push(Buffer.from('<html><body>'), () => undefined)).toThrow('wrong prelude');
  });

  it('a message beyond 32 Mi is refused by what it says of itself', () => {
    const prelude = Buffer.alloc(12);
    prelude.writeUInt32BE(32 * 1024 * 1024 + 1, 0);
    prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
    expect(read(new EventStreamFraming('acme'), [prelude]).failure).toBe('malformed: acme: answer is too large');
  });

  it('one that ends within a message was not sent whole', () => {
    const { events, failure } = read(new EventStreamFraming('acme'), [one, one.subarray(0, 20)]);
    expect([events, failure]).toEqual([[event], 'stream_drop: acme: stream ended early']);
  });
});

describe('a body that was announced as server-sent events', () => {
  const error = { error: { message: 'no' } };
  const events = (body: string): readonly JsonValue[] => read(new SseFraming('acme'), cut(Buffer.from(body), [1, 3, 9])).events;

  it.each([JSON.stringify(error), `\r\n ${JSON.stringify(error, null, 2)}\n`, `\uFEFF${JSON.stringify(error)}`])(
    'is one event when it is a document: %j',
    (body) => {
      expect(events(body)).toEqual([error]);
    },
  );

  it('is nothing when its document is cut', () => {
    expect(events('{"error":')).toEqual([]);
  });

  it('has no events of empty data', () => {
    expect(events('data:\n\ndata: \n\ndata: 1\n\n')).toEqual([1]);
  });

  it('counts a document that does not end', () => {
    const one = new SseFraming('acme');
    one.push(Buffer.from('{"a":'), () => undefined);
    expect(one.unfinished).toBe(5);
  });
});
