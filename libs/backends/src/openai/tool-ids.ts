import { createHash } from 'node:crypto';
import { WireIds } from '../wire/wire-ids.js';
import type { Quirks } from './quirks.js';

const SHORT = 40;
const NINE = /^[A-Za-z0-9]{9}$/;
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** What an id becomes where only some forms are taken; equal conversations give equal ids. */
export function toolIds(form: Quirks['toolIds']): (id: string) => string {
  switch (form) {
    case 'any':
      return (id) => id;
    case 'short': {
      const ids = new WireIds(SHORT);
      return (id) => ids.claim(id);
    }
    case 'nine':
      return nineLetters(new Set());
  }
}

function nineLetters(taken: Set<string>): (id: string) => string {
  return (id) => {
    let own = NINE.test(id) ? id : hashed(id);
    for (let count = 2; taken.has(own); count += 1) own = hashed(`${id} ${count}`);
    taken.add(own);
    return own;
  };
}

function hashed(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 9);
  return Array.from(bytes, (byte) => DIGITS[byte % DIGITS.length]).join('');
}
