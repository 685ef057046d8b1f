import { escapeValue, type ToolRequest } from '#model';

/** Whose call it is: what goes into a payload besides the request. `session` empty = none. */
export interface CallIdentity {
  readonly token: string;
  readonly agent: string;
  readonly session: string;
}

/** The text that `proc/new` takes (contract 3.1): `key=value` lines, with backslash and newline escaped in values. */
export function formatPayload(request: ToolRequest, identity: CallIdentity): string {
  const lines: (readonly [key: string, value: string])[] = [
    ['token', identity.token],
    ['tool', request.tool],
    ['agent', identity.agent],
  ];
  if (identity.session !== '') lines.push(['session', identity.session]);
  lines.push(['call', request.id], ['cwd', request.cwd]);
  for (const [name, value] of Object.entries(request.env)) lines.push([`env.${name}`, value]);
  lines.push(['args', JSON.stringify(request.arguments)]);
  return lines.map(([key, value]) => `${key}=${escapeValue(value)}\n`).join('');
}
