import { NinepError } from '#ninep';
import type { Client } from '#virtfs';

/** What an attach name says about its client. */
export type AttachName = Pick<Client, 'aname' | 'leader' | 'waitMs'> & { readonly tag?: string; readonly key?: string };

const OPTION = /^(client|wait|key)=/;
const TAG = /^[A-Za-z0-9._-]{1,128}$/;
const LEADER_TAG = /^([^.]+)\.[^.]+\.[^.]+$/;
const DURATION = /^(\d{1,9})(ms|s|m|h)$/;
const MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
/** The longest time a Node timer can wait. */
const MAX_WAIT = 0x7fffffff;

/**
 * Parses `client=TAG&wait=30s&key=SECRET`; with `named` what stands before the first `&`, and is no option itself, is
 * a name taken as it is. `aname` is without the key, which is for the entrance alone. Throws `illegal argument: ...` for unknown keys and for values that are no tag or no duration.
 */
export function parseAttachName(aname: string, named: boolean): AttachName {
  const parts = aname.split('&');
  const name = named ? nameIn(parts) : withoutKey(aname);
  const options = parts.filter((part) => part !== '').map(parseOption);
  return options.reduce<AttachName>((all, option) => ({ ...all, ...option }), { aname: name });
}

/** Takes the name out. Clients that were given none still send their tag. */
function nameIn(parts: string[]): string {
  return OPTION.test(parts[0] ?? '') ? '' : (parts.shift() ?? '');
}

/** An attach name that may be shown. */
export function withoutKey(aname: string): string {
  const parts = aname.split('&');
  return parts.filter((part) => !part.startsWith('key=')).join('&');
}

function parseOption(part: string): Partial<AttachName> {
  const [, key, value = ''] = /^([^=]*)=([^]*)$/.exec(part) ?? [];
  if (key === 'client') return parseTag(value, part);
  if (key === 'wait') return { waitMs: parseWait(value, part) };
  if (key === 'key') return { key: value };
  throw illegal(part);
}

function parseTag(tag: string, part: string): Partial<AttachName> {
  if (!TAG.test(tag)) throw illegal(part);
  const leader = LEADER_TAG.exec(tag)?.[1];
  return leader === undefined ? { tag } : { tag, leader };
}

function parseWait(value: string, part: string): number {
  const [, amount, unit = ''] = DURATION.exec(value) ?? [];
  const factor = MILLISECONDS.get(unit);
  if (factor === undefined) throw illegal(part);
  return Math.min(Number(amount) * factor, MAX_WAIT);
}

function illegal(part: string): NinepError {
  return new NinepError(`illegal argument: ${part}`, 'EINVAL');
}
