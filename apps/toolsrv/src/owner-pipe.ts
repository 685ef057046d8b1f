import { fstatSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';

/** What an inherited descriptor gave. */
export interface OwnerPipe {
  /** The first line. */
  readonly secret: string;
  /** Calls back with the second line: at once when it came with the first, else when it comes, if ever. */
  whenSecondLine(callback: (line: string) => void): void;
  /** Calls back when the owner's end of the pipe is gone, or at once where it is already; never for a file. */
  whenEnded(callback: () => void): void;
  close(): void;
}

/**
 * Reads the secret from an inherited descriptor. A pipe or socket stays open after that: its end means that
 * the owner is gone. It keeps no process alive. Rejects when there is no line.
 */
export async function readOwnerPipe(descriptor: number): Promise<OwnerPipe> {
  const facts = fstatSync(descriptor);
  if (!facts.isFIFO() && !facts.isSocket()) return ownerFile(readFileSync(descriptor, 'utf8'), descriptor);
  const pipe = new Socket({ fd: descriptor, readable: true, writable: false });
  const text = new FirstLines(pipe);
  await text.first;
  const secret = firstLine(text.read, descriptor);
  pipe.unref();
  return {
    secret,
    whenSecondLine: (callback) => text.whenSecond(callback),
    whenEnded: (callback) => void (pipe.closed ? callback() : pipe.once('close', callback)),
    close: () => pipe.removeAllListeners('close').destroy(),
  };
}

function ownerFile(text: string, descriptor: number): OwnerPipe {
  const secret = firstLine(text, descriptor);
  const second = text.split('\n')[1] ?? '';
  const whenSecondLine: OwnerPipe['whenSecondLine'] = (callback) => void (second !== '' && callback(second));
  return { secret, whenSecondLine, whenEnded: () => undefined, close: () => undefined };
}

/** Keeps the first two lines of a pipe; what follows is read and dropped. */
class FirstLines {
  /** Resolves when the first line is complete, or the pipe has ended. */
  readonly first: Promise<void>;
  read = '';
  private take: (line: string) => void = () => undefined;

  constructor(pipe: Socket) {
    pipe.setEncoding('utf8');
    this.first = new Promise((resolve, reject) => {
      pipe.on('data', (chunk: string) => {
        if (!this.isFull) this.add(chunk);
        if (this.read.includes('\n')) resolve();
      });
      pipe.once('end', resolve);
      // Stays for the life of the pipe: a broken one closes, and that is what counts.
      pipe.on('error', reject);
    });
  }

  whenSecond(callback: (line: string) => void): void {
    this.take = callback;
    if (this.second !== '') callback(this.second);
  }

  private add(chunk: string): void {
    this.read += chunk;
    if (this.second !== '') this.take(this.second);
  }

  private get isFull(): boolean {
    return this.read.split('\n').length > 2;
  }

  /** Empty until it is complete. */
  private get second(): string {
    return this.isFull ? (this.read.split('\n')[1] ?? '') : '';
  }
}

function firstLine(text: string, descriptor: number): string {
  const [line = ''] = text.split('\n');
  if (line === '') throw new Error(`descriptor ${descriptor} gave no secret`);
  return line;
}
