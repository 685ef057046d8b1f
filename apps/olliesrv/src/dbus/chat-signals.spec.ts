import { ByteLog } from '#virtfs';
import { type ChatPorts, ChatSignals, type Speaker } from './chat-signals.js';

class Heard implements ChatPorts {
  backlogBytes = 0;
  readonly chat = new ByteLog();
  readonly chunks: (readonly [offset: number, chunk: string])[] = [];

  emit(_speaker: Speaker, offset: number, chunk: string): void {
    this.chunks.push([offset, chunk]);
  }

  chatOf({ agent }: Speaker): ByteLog | undefined {
    return agent === 'a' ? this.chat : undefined;
  }

  /** Fails where a chunk does not begin at the end of the one before. */
  get text(): string {
    let end = 0;
    for (const [offset, chunk] of this.chunks) {
      if (offset !== end) throw new Error(`a chunk at ${String(offset)} after ${String(end)} bytes`);
      end += Buffer.byteLength(chunk);
    }
    return this.chunks.map(([, chunk]) => chunk).join('');
  }
}

describe('chat as signals', () => {
  let out: Heard;
  let signals: ChatSignals;
  const speaker: Speaker = { session: 's', agent: 'a' };

  beforeEach(() => {
    jest.useFakeTimers();
    out = new Heard();
    signals = new ChatSignals(out, new Map());
  });
  afterEach(() => {
    signals.close();
    jest.useRealTimers();
  });

  function say(text: string): void {
    out.chat.append(text);
    signals.heard(speaker);
  }

  it('tells the first word at once', () => {
    say('one');
    expect(out.chunks).toEqual([[0, 'one']]);
  });

  it('tells what follows at most 25 times a second, and all of it', () => {
    for (let millisecond = 0; millisecond < 1_000; millisecond += 1) {
      say(`${String(millisecond)} `);
      jest.advanceTimersByTime(1);
    }
    jest.advanceTimersByTime(40);
    expect(out.chunks.length).toBeLessThanOrEqual(26);
    expect(out.text).toBe(out.chat.tail(10_000));
  });

  it('cuts long text into chunks of 16 KiB, between characters', () => {
    say('ä😀'.repeat(10_000));
    jest.advanceTimersByTime(1_000);
    expect(Math.max(...out.chunks.map(([, chunk]) => Buffer.byteLength(chunk)))).toBeLessThanOrEqual(16 * 1024);
    expect(out.text).toBe('ä😀'.repeat(10_000));
  });

  it('keeps offsets right where a NUL cannot be sent', () => {
    say('a\0');
    jest.advanceTimersByTime(40);
    say('b');
    expect(out.text).toBe('a\u001ab');
  });

  it('tells what is left before what comes after it', () => {
    say('one');
    say('two');
    signals.flush('a');
    expect(out.text).toBe('onetwo');
  });

  it('goes on at the end when the bus does not keep up, so that an offset shows the gap', () => {
    say('begin');
    out.backlogBytes = 9 * 1024 * 1024;
    for (let second = 0; second < 100; second += 1) {
      say(`${'x'.repeat(20_000)}\n`);
      jest.advanceTimersByTime(1_000);
    }
    expect(out.chunks).toHaveLength(1);
    out.backlogBytes = 0;
    jest.advanceTimersByTime(1_000);
    expect(out.chunks.length).toBeLessThan(5);
    expect(out.chunks[1]?.[0]).toBeGreaterThan(1_900_000);
    expect((out.chunks.at(-1)?.[0] ?? 0) + (out.chunks.at(-1)?.[1].length ?? 0)).toBe(out.chat.length);
  });

  it('begins where an agent was that had spoken before', () => {
    out.chat.append('old ');
    signals = new ChatSignals(out, new Map([['a', 4]]));
    say('new');
    expect(out.chunks).toEqual([[4, 'new']]);
  });

  it('knows nothing of agents that are not there', () => {
    signals.heard({ session: 's', agent: 'b' });
    signals.flush('b');
    expect(out.chunks).toEqual([]);
  });

  it('says no more of an agent that is forgotten, and nothing after the end', () => {
    say('one');
    say('two');
    signals.forget('a');
    jest.advanceTimersByTime(1_000);
    expect(out.chunks).toHaveLength(1);
  });
});
