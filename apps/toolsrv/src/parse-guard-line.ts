import { messageOf } from '#config';

export interface GuardLine {
  readonly id: string | number | null;
  readonly command: string;
}

/** Reads `{"id","command"}`; what is wrong with the line as a text. */
export function parseGuardLine(line: string): GuardLine | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return `not JSON: ${messageOf(error)}`;
  }
  if (typeof value !== 'object' || value === null || !('command' in value) || typeof value.command !== 'string') return 'no text "command"';
  const id = 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' || id === null
    ? { id, command: value.command }
    : 'the id is neither text nor number';
}
