import { readFileSync } from 'node:fs';
import { errnoOf } from '#config';
import { standardError } from './bus-call-error.js';

const FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'];

/** Throws BusCallError where the machine has none. */
export function machineId(): string {
  for (const file of FILES) {
    const id = contentOf(file);
    if (id !== undefined) return id.trim();
  }
  throw standardError('Failed', 'this machine has no id');
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
}
