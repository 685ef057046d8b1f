import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Plan } from './plan.js';
import type { Break, StatusFailure } from './script.js';

const FEWEST_CHARACTERS = 16;
const MOST_CHUNKS = 256;

/** A delta, or what goes wrong at this place of the text. */
export type Played = Delta | { readonly type: 'fault'; readonly fault: Fault };

export type Delta = { readonly type: 'reasoning'; readonly text: string } | { readonly type: 'text'; readonly text: string };

/** Something that goes wrong in the middle of an answer. */
export type Fault = Break | StatusFailure;

/** The deltas of a plan at its pace, and its fault where it is due. Gives way to others between deltas; an abort rejects with the signal's reason. */
export async function* play(plan: Plan, signal: AbortSignal): AsyncGenerator<Played> {
  const fault = faultOf(plan);
  for (const text of piecesOf(plan.think, plan.pace.chunk)) yield await paced({ type: 'reasoning', text }, plan, signal);
  const [before, after] = fault ? [plan.text.slice(0, fault.after), plan.text.slice(fault.after)] : [plan.text, ''];
  for (const piece of piecesOf(before, plan.pace.chunk)) yield await paced({ type: 'text', text: piece }, plan, signal);
  if (fault) yield { type: 'fault', fault };
  for (const piece of piecesOf(after, plan.pace.chunk)) yield await paced({ type: 'text', text: piece }, plan, signal);
}

/** Undefined when the answer goes well, or fails before it begins. */
export function faultOf({ fail }: Plan): Fault | undefined {
  if (fail?.kind === 'status') return fail.after === undefined ? undefined : fail;
  return fail && 'after' in fail ? fail : undefined;
}

async function paced(played: Delta, { pace }: Plan, signal: AbortSignal): Promise<Delta> {
  if (pace.delayMs > 0) await setTimeout(pace.delayMs, undefined, { signal });
  else await setImmediate(undefined, { signal });
  return played;
}

/** Cuts between characters, never inside one. */
export function* piecesOf(text: string, size = Math.max(FEWEST_CHARACTERS, Math.ceil(text.length / MOST_CHUNKS))): Generator<string> {
  for (let start = 0; start < text.length;) {
    const isInsidePair = /[\uD800-\uDBFF]/.test(text.charAt(start + size - 1));
    const end = start + size + Number(isInsidePair);
    yield text.slice(start, end);
    start = end;
  }
}
