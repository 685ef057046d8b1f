import { ByteLog } from './byte-log.js';
import { InterruptedFileError } from './errors.js';
import { LogRead } from './log-read.js';

/** A held log with what its readers were told, in order. */
class Readers {
  readonly log = new ByteLog();
  readonly told: string[] = [];

  constructor() {
    this.log.hold();
  }

  read(name: string, offset: number, stop = new AbortController(), then: () => void = () => undefined): AbortController {
    const read = this.log.at(offset, 100, stop);
    if (!(read instanceof LogRead)) throw new Error('it does not wait');
    read.whenSettled({
      there: (bytes) => {
        this.told.push(`${name} ${Buffer.from(bytes).toString()}`);
        then();
      },
      failed: (error) => this.told.push(`${name} ${error instanceof Error ? error.constructor.name : ''}`),
    });
    return stop;
  }
}

describe('a read that waits', () => {
  it('is told in the moment in which the bytes come', () => {
    const readers = new Readers();
    for (const name of ['a', 'b', 'c']) readers.read(name, 0);
    readers.log.append('x');
    expect(readers.told).toEqual(['a x', 'b x', 'c x']);
    readers.log.append('y');
    expect(readers.told).toHaveLength(3);
  });

  it('waits on for an offset beyond the end, whoever else is told', () => {
    const readers = new Readers();
    readers.read('far', 2);
    readers.read('near', 0);
    readers.log.append('x');
    readers.log.append('y');
    readers.log.append('z');
    expect(readers.told).toEqual(['near x', 'far z']);
  });

  it('may be given up, or begun, by one that is told before it', () => {
    const readers = new Readers();
    const second = new AbortController();
    readers.read('a', 0, new AbortController(), () => {
      second.abort();
      readers.read('d', 1);
    });
    readers.read('b', 0, second);
    readers.read('c', 0);
    readers.log.append('x');
    expect(readers.told).toEqual(['a x', 'b InterruptedFileError', 'c x']);
    readers.log.append('y');
    expect(readers.told.at(-1)).toBe('d y');
  });

  it.each([0, 1, 2])('is told of its own abort and of nothing else, and the others are (%i)', (number) => {
    const readers = new Readers();
    const stops = ['a', 'b', 'c'].map((name) => readers.read(name, 0));
    stops[number]?.abort();
    readers.log.append('x');
    expect(readers.told.toSorted((one, other) => one.localeCompare(other))).toEqual(
      ['a', 'b', 'c'].map((name, index) => (index === number ? `${name} InterruptedFileError` : `${name} x`)),
    );
  });

  it('listens to nothing any more once it was told', () => {
    const readers = new Readers();
    const removed = jest.spyOn(AbortSignal.prototype, 'removeEventListener');
    const stop = readers.read('a', 0);
    readers.log.append('x');
    expect(removed).toHaveBeenCalledTimes(1);
    stop.abort();
    expect(readers.told).toEqual(['a x']);
    removed.mockRestore();
  });

  it('is told that its client has gone already', () => {
    const stop = new AbortController();
    stop.abort();
    const readers = new Readers();
    readers.read('a', 0, stop);
    readers.log.append('x');
    expect(readers.told).toEqual(['a InterruptedFileError']);
  });

  it('hears that the bytes cannot be read', () => {
    const error = new Error('the file is gone');
    const log = new ByteLog({
      length: 0,
      mtimeMs: 0,
      append: () => undefined,
      slice: () => {
        throw error;
      },
    });
    log.hold();
    const read = log.at(0, 1, new AbortController());
    if (!(read instanceof LogRead)) throw new Error('it does not wait');
    const failed = jest.fn();
    read.whenSettled({ there: failed, failed });
    log.release();
    expect(failed).toHaveBeenCalledWith(error);
  });

  it('is a promise to who wants one, also after it was told', async () => {
    const { log } = new Readers();
    const read = log.at(0, 10, new AbortController());
    log.append('x');
    expect(Buffer.from(await read).toString()).toBe('x');
    const stop = new AbortController();
    const other = log.at(1, 10, stop);
    stop.abort();
    await expect(Promise.resolve(other)).rejects.toThrow(InterruptedFileError);
  });
});
