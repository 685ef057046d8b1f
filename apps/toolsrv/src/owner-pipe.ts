import { fstatSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';

/** What an inherited descriptor gave. */
export interface OwnerPipe {
  /** The first line. */
  readonly secret: string;
  /** Calls back when the owner's end of the pipe is gone; never for a file. */
  whenEnded(callback: () => void): void;
  close(): void;
}

/**
 * Reads the secret from an inherited descriptor. A pipe or socket stays open after that: its end means that
 * the owner is gone. It keeps no process alive. Rejects when there is no line.
 */
export async function readOwnerPipe(descriptor: number): Promise<OwnerPipe> {
  const facts = fstatSync(descriptor);
  if (!facts.isFIFO() && !facts.isSocket()) {
    return { secret: firstLine(readFileSync(descriptor, 'utf8'), descriptor), whenEnded: () => undefined, close: () => undefined };
  }
  const pipe = new Socket({ fd: descriptor, readable: true, writable: false });
  const secret = firstLine(await readLine(pipe), descriptor);
  pipe.resume();
  pipe.unref();
  return { secret, whenEnded: (callback) => void pipe.once('close', callback), close: () => pipe.removeAllListeners('close').destroy() };
}

/** All that came up to the first line end, or up to the end. */
function readLine(pipe: Socket): Promise<string> {
  pipe.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    let text = '';
    const settle = (): void => {
      pipe.off('data', take).off('end', settle);
      resolve(text);
    };
    const take = (chunk: string): void => {
      text += chunk;
      if (text.includes('\n')) settle();
    };
    pipe.on('data', take).once('end', settle);
    // Stays for the life of the pipe: a broken one closes, and that is what counts.
    pipe.on('error', reject);
  });
}

function firstLine(text: string, descriptor: number): string {
  const [line = ''] = text.split('\n');
  if (line === '') throw new Error(`descriptor ${descriptor} gave no secret`);
  return line;
}
