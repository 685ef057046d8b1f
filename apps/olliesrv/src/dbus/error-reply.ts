import { type Log, messageOf } from '#config';
import { isClientError } from '#virtfs';
import { BusCallError } from './bus-call-error.js';
import type { BusReply } from './bus-messages.js';
import { guardedText } from './guarded-body.js';

/** An error's text is for people: more than this nobody reads. */
const MAX_ERROR_BYTES = 1024;
const STANDARD = 'org.freedesktop.DBus.Error';
const FAILED = `${STANDARD}.Failed`;

/** The names of errors that carry an errno; all others are failures. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['E2BIG', `${STANDARD}.LimitsExceeded`],
  ['EACCES', `${STANDARD}.AccessDenied`],
  ['EBUSY', 'org.ollie.Error.Busy'],
  ['EEXIST', 'org.ollie.Error.Exists'],
  ['EINVAL', `${STANDARD}.InvalidArgs`],
  ['ENOENT', 'org.ollie.Error.NotFound'],
  ['EROFS', `${STANDARD}.PropertyReadOnly`],
]);

/** What the caller is told of an error. A bug is logged whole, and told without what is inside. */
export function errorReply(error: unknown, log: Log): BusReply {
  if (error instanceof BusCallError) return reply(error.errorName, error.message);
  if (isClientError(error)) return reply(NAMES.get(error.posix) ?? FAILED, error.message);
  log.error(`D-Bus: ${error instanceof Error && error.stack ? error.stack : messageOf(error)}`);
  return reply(FAILED, 'internal error');
}

function reply(error: string, text: string): BusReply {
  return { signature: 's', body: [guardedText(text, MAX_ERROR_BYTES)], error };
}
