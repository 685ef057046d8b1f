import type { Place } from '../place.js';
import { UNITS, type Break, type EmptyReply, type Failure, type SlowReply, type StatusFailure } from './script.js';

const BREAKS = { cutAfter: 'cut', resetAfter: 'reset', stallAfter: 'stall', garbageAfter: 'garbage' } as const;
const BREAK_KEYS = ['cutAfter', 'resetAfter', 'stallAfter', 'garbageAfter'] as const;
const KEYS = ['times', 'status', 'headers', 'body', 'message', 'after', 'unit', 'slow', 'emptyReply', ...BREAK_KEYS] as const;

type Fields = Readonly<Record<(typeof KEYS)[number], Place>>;

/** The `fail` of a step. Throws ConfigError. */
export function readFailure(place: Place): Failure {
  const fields = place.fields(...KEYS);
  const times = fields.times.maybe((it) => it.whole(1)) ?? 1;
  const kind = statusIn(fields) ?? breakIn(fields) ?? slowIn(fields) ?? emptyIn(fields);
  return kind ? { times, ...kind } : place.fail(`expected status, ${BREAK_KEYS.join(', ')}, slow or emptyReply`);
}

function statusIn({ status, headers, body, message, after }: Fields): StatusFailure | undefined {
  return status.maybe((place) => ({
    kind: 'status',
    status: place.whole(400),
    headers: readHeaders(headers),
    body: body.maybe((it) => it.json()) ?? null,
    message: message.maybe((it) => it.text()),
    after: after.maybe((it) => it.whole(0)),
  }));
}

function breakIn(fields: Fields): Break | undefined {
  const unit = fields.unit.maybe((it) => it.oneOf(...UNITS)) ?? 'characters';
  for (const key of BREAK_KEYS) {
    const after = fields[key].maybe((it) => it.whole(0));
    if (after !== undefined) return { kind: BREAKS[key], after, unit };
  }
  return undefined;
}

function slowIn({ slow }: Fields): SlowReply | undefined {
  return slow.maybe((it) => ({ kind: 'slow', delayMs: it.whole(0) }));
}

function emptyIn({ emptyReply }: Fields): EmptyReply | undefined {
  return emptyReply.maybe((it) => it.flag()) === true ? { kind: 'empty' } : undefined;
}

function readHeaders(place: Place): Readonly<Record<string, string>> {
  return Object.fromEntries(
    place
      .orEmpty()
      .entries()
      .map(([key, it]) => [key, it.word()]),
  );
}
