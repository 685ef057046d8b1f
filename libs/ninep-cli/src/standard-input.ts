import { fstatSync } from 'node:fs';
import { StreamError } from './errors.js';
import { streamError } from './stream-error.js';

/** This process's standard input. Throws StreamError for a directory, which Node reads as if it were empty; so does a failing read. */
export function standardInput(): AsyncIterable<Uint8Array> {
  if (fstatSync(0).isDirectory()) throw new StreamError('standard input: is a directory');
  return readInput();
}

async function* readInput(): AsyncIterable<Uint8Array> {
  try {
    yield* process.stdin;
  } catch (error) {
    throw streamError('standard input', error);
  }
}
