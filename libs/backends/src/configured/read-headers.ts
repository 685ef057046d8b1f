import type { Place } from '../place.js';

const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const VALUE = /^[\t -~\u00A0-\u00FF]*$/;
/** What holds a request together. */
const OURS: readonly string[] = ['connection', 'content-length', 'content-type', 'transfer-encoding'];

/** By names in lower case. A value is never shown: it may be a key. */
export function readHeaders(place: Place): Readonly<Record<string, string>> {
  return Object.fromEntries(place.entries().map(([name, value]) => [readName(name, value), readValue(value)]));
}

function readName(name: string, place: Place): string {
  const lower = name.toLowerCase();
  if (!NAME.test(name)) place.fail('not the name of a header');
  return OURS.includes(lower) ? place.fail('this header cannot be set') : lower;
}

function readValue(place: Place): string {
  const value = place.text();
  return VALUE.test(value) ? value : place.fail('holds a character that no HTTP header can carry');
}
