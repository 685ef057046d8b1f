import { createHash } from 'node:crypto';
import type { Message } from '#model';
import { ConversationFold } from './conversation-fold.js';

/** A conversation up to one of its messages. */
export interface Mark {
  /** Differs where anything up to here does. */
  readonly digest: string;
  /** Of all messages up to here, as JSON. */
  readonly characters: number;
}

const marks = new ConversationFold<Mark[]>(
  () => [],
  (list, message) => {
    list.push(markOf(message, list.at(-1)));
    return list;
  },
);

/** One mark a message. A conversation that is known and has grown gives the same list, which has grown too. */
export function marksOf(messages: readonly Message[]): readonly Mark[] {
  return marks.after(messages);
}

export function markOf(value: unknown, before: Mark = { digest: '', characters: 0 }): Mark {
  const text = JSON.stringify(value);
  const digest = createHash('sha256').update(before.digest).update(text).digest('base64');
  return { digest, characters: before.characters + text.length };
}
