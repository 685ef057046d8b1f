import { readFileSync } from 'node:fs';
import { messageOf } from '#config';
import { parseAddress } from '#ninep';
import { type Door, guestDoor, secretDoor } from '#transport-ninep';
import { UsageError } from '#lifecycle';

/** The options of `serve` that are about TCP. */
export interface TcpFlags {
  readonly tcp?: readonly string[];
  readonly tcpSecretFile?: string;
  readonly tcpNoAuth?: boolean;
}

const DEFAULT_PORT = 5640;

/** Throws UsageError for TCP without a word on who may come in, for two such words, and for one without TCP. */
export function tcpDoors({ tcp = [], tcpSecretFile: file, tcpNoAuth: isOpen = false }: TcpFlags): readonly Door[] {
  if (file !== undefined && isOpen) throw new UsageError('--tcp-secret-file and --tcp-no-auth exclude each other');
  if (tcp.length === 0 && (file !== undefined || isOpen)) throw new UsageError('--tcp-secret-file and --tcp-no-auth need --tcp ADDRESS');
  const addresses = tcp.map(tcpAddress);
  if (isOpen) return addresses.map(guestDoor);
  if (file !== undefined) return addresses.map((address) => secretDoor(address, secretFrom(file)));
  if (tcp.length > 0) throw new UsageError('--tcp needs --tcp-secret-file FILE, or --tcp-no-auth to let everybody in as a guest');
  return [];
}

/** `tcp!HOST!PORT`, `tcp!HOST:PORT`, or the same without `tcp!` or without a port. */
function tcpAddress(text: string): string {
  const place = text.replace(/^tcp!/, '');
  const address = `tcp!${/[!:]\d+$/.test(place) ? place : `${place}!${String(DEFAULT_PORT)}`}`;
  parseAddress(address);
  return address;
}

function secretFrom(file: string): string {
  const secret = contentOf(file).trim();
  if (secret === '') throw new UsageError(`--tcp-secret-file: ${file} is empty`);
  return secret;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--tcp-secret-file: ${messageOf(error)}`);
  }
}
