import type { ToolCall } from '#model';

const NOT_IN_NAMES = /[^A-Za-z0-9_-]/g;
const MAX_NAME = 64;

/**
 * The calls of one answer as they can be kept and sent back: ids unique within the answer, names of the
 * form that every provider takes. A call whose name had to change names no tool, so it becomes an error result.
 */
export function replayableCalls(calls: readonly ToolCall[]): readonly ToolCall[] {
  const ids = new Set<string>();
  return calls.map((call) => {
    const id = freeId(call.id, ids);
    ids.add(id);
    return { ...call, id, name: call.name.replace(NOT_IN_NAMES, '_').slice(0, MAX_NAME) || 'unnamed' };
  });
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  const base = wanted === '' ? 'call' : wanted;
  if (wanted !== '' && !taken.has(wanted)) return wanted;
  let count = taken.size + 1;
  while (taken.has(`${base}-${count}`)) count += 1;
  return `${base}-${count}`;
}
