import type { StreamEvent } from '#model';

type Delta = Extract<StreamEvent, { readonly type: 'text' | 'reasoning' }>;

/** The same events with neighbouring deltas of one kind as one: what came together is written and read together. */
export function* joinedDeltas(events: Iterable<StreamEvent>): Generator<StreamEvent> {
  let open: Delta | undefined;
  try {
    for (const event of events) {
      const joined = open && joinedWith(open, event);
      if (open && !joined) yield open;
      open = joined ?? (isDelta(event) ? event : undefined);
      if (!open) yield event;
    }
  } catch (error) {
    if (open) yield open;
    throw error;
  }
  if (open) yield open;
}

function joinedWith(open: Delta, event: StreamEvent): Delta | undefined {
  return isDelta(event) && event.type === open.type ? { type: open.type, text: open.text + event.text } : undefined;
}

function isDelta(event: StreamEvent): event is Delta {
  return event.type === 'text' || event.type === 'reasoning';
}
