import { EVENT_ID, getScalarValue, parseEvents, YAMLException, type Event } from 'js-yaml';

/**
 * The line, from 1, of every key and list item of a YAML text, by its path: `a`, `a.b`, `a.b[0]`. What an alias stands for
 * has none. Empty for a text that is no YAML: who reads the values says so.
 */
export function yamlLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const open: Level[] = [];
  for (const event of eventsOf(text)) {
    if (event.type === EVENT_ID.POP) open.pop();
    else visit({ event, text, open, lines });
  }
  return lines;
}

/** A mapping or list that is not complete yet. `key`: of the value that comes next; undefined: a key comes next. */
interface Level {
  readonly path: string;
  readonly isList: boolean;
  key: string | undefined;
  index: number;
}

interface Visit {
  readonly event: Exclude<Event, { type: typeof EVENT_ID.POP }>;
  readonly text: string;
  readonly open: Level[];
  readonly lines: Map<string, number>;
}

function eventsOf(text: string): readonly Event[] {
  try {
    return parseEvents(text, {});
  } catch (error) {
    if (error instanceof YAMLException) return [];
    throw error;
  }
}

function visit({ event, text, open, lines }: Visit): void {
  const parent = open.at(-1);
  const place = parent === undefined ? '' : placeIn(parent);
  const start = startOf(event);
  if (place !== undefined) {
    if (start >= 0 && !lines.has(place)) lines.set(place, lineAt(text, start));
    if (parent !== undefined) parent.key = undefined;
  } else if (parent !== undefined) {
    parent.key = event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : '';
    if (start >= 0) lines.set(joined(parent.path, parent.key), lineAt(text, start));
  }
  if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE)
    open.push({ path: place ?? '', isList: event.type === EVENT_ID.SEQUENCE, key: undefined, index: 0 });
}

/** Of the value that comes now; undefined when it is a key. */
function placeIn(parent: Level): string | undefined {
  if (parent.isList) return `${parent.path}[${parent.index++}]`;
  return parent.key === undefined ? undefined : joined(parent.path, parent.key);
}

const joined = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function startOf(event: Visit['event']): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  return event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE ? event.start : -1;
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
