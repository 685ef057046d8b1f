import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { ToolFailure } from './run-tool.mjs';

/**
 * Opens a file for reading without ever waiting (a FIFO without a writer would block for ever), and refuses all
 * that is no regular file. `use` gets the descriptor and the facts.
 */
export function withRegularFile(path, use) {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = fstatSync(descriptor);
    if (facts.isDirectory()) throw new ToolFailure(`${path}: is a directory; list it with the shell tool: ls`);
    if (!facts.isFile()) throw new ToolFailure(`${path}: is not a regular file`);
    return use(descriptor, facts);
  } finally {
    closeSync(descriptor);
  }
}

/** The first `size` bytes, fewer when the file is shorter. */
export function readStart(descriptor, size) {
  const buffer = Buffer.alloc(size);
  let used = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, used, size - used, used);
    used += count;
    if (count === 0 || used === size) return buffer.subarray(0, used);
  }
}

/** What a file that is no plain text is, by its first bytes; undefined for text. */
export function binaryKind(start) {
  if (isUtf16(start)) return 'UTF-16 text';
  return start.includes(0) ? 'a binary file' : undefined;
}

/** By its byte order mark. */
export function isUtf16(start) {
  return ['fffe', 'feff'].includes(start.subarray(0, 2).toString('hex'));
}
