import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Plan } from './plan.js';

const FEWEST_CHARACTERS = 16;
const MOST_CHUNKS = 256;

/** A delta, or the place where the answer breaks off or falls silent. */
export type Played = Delta | { readonly type: 'cut' } | { readonly type: 'stall' };

export type Delta = { readonly type: 'reasoning'; readonly text: string } | { readonly type: 'text'; readonly text: string };

/** The deltas of a plan at its pace. Gives way to others between deltas; an abort rejects with the signal's reason. */
export async function* play(plan: Plan, signal: AbortSignal): AsyncGenerator<Played> {
  const breakAt = plan.fail?.kind === 'cut' || plan.fail?.kind === 'stall' ? plan.fail.after : Infinity;
  for (const text of piecesOf(plan.think, plan.pace.chunk)) yield await paced({ type: 'reasoning', text }, plan, signal);
  const text = breakAt < plan.text.length ? plan.text.slice(0, breakAt) : plan.text;
  for (const piece of piecesOf(text, plan.pace.chunk)) yield await paced({ type: 'text', text: piece }, plan, signal);
  if (plan.fail?.kind === 'cut' || plan.fail?.kind === 'stall') yield { type: plan.fail.kind };
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
