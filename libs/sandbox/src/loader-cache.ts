import { readFileSync } from 'node:fs';
import { errnoOf } from '#config';

const MAGIC = 'glibc-ld.so.cache1.1';
const HEADER_BYTES = 48;
const ENTRY_BYTES = 24;

/** Names of libraries and where the loader's cache has them, the first entry of each; empty without a cache that we understand. */
export function loaderCache(file = '/etc/ld.so.cache'): ReadonlyMap<string, readonly string[]> {
  const bytes = contentOf(file);
  const start = bytes.indexOf(MAGIC, 0, 'latin1');
  const paths = new Map<string, readonly string[]>();
  if (start < 0 || bytes.length < start + HEADER_BYTES) return paths;
  for (let index = 0; index < bytes.readUInt32LE(start + 20); index += 1) {
    const at = start + HEADER_BYTES + index * ENTRY_BYTES;
    if (at + ENTRY_BYTES > bytes.length) return paths;
    const name = textAt(bytes, start + bytes.readUInt32LE(at + 4));
    paths.set(name, [...(paths.get(name) ?? []), textAt(bytes, start + bytes.readUInt32LE(at + 8))]);
  }
  return paths;
}

function textAt(bytes: Buffer, at: number): string {
  const end = bytes.indexOf(0, at);
  return end < 0 ? '' : bytes.toString('utf8', at, end);
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return Buffer.alloc(0);
  }
}
