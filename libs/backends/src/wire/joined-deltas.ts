import type { StreamEvent } from '#model';

/** Adds events to a list; a delta that follows one of its kind becomes part of it: what came together is written and read together. */
export function addJoined(list: StreamEvent[], events: readonly StreamEvent[]): void {
  for (const event of events) {
    const last = list.at(-1);
    if (last && isDelta(last) && isDelta(event) && last.type === event.type)
      list[list.length - 1] = { type: last.type, text: last.text + event.text };
    else list.push(event);
  }
}

function isDelta(event: StreamEvent): event is Extract<StreamEvent, { readonly type: 'text' | 'reasoning' }> {
  return event.type === 'text' || event.type === 'reasoning';
}
