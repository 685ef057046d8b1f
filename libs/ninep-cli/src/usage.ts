import { verbs } from './verbs.js';

/** Help for a program that has these verbs; `more` are lines of its own. */
export function usageText(program: string, more: readonly (readonly [usage: string, about: string])[] = []): string {
  const lines = [...Object.values(verbs).map(({ usage, about }) => [usage, about] as const), ...more];
  const width = Math.max(...lines.map(([usage]) => usage.length));
  return [
    `usage: ${program} [-a ADDRESS] [-A ANAME] [-u UNAME] [--secret-file FILE] COMMAND`,
    ...lines.map(([usage, about]) => `  ${usage.padEnd(width)}  ${about}`),
    'ADDRESS is unix!PATH or tcp!HOST!PORT; without it the server of $NAMESPACE, else of /tmp/ns.$USER.$DISPLAY.',
    '',
  ].join('\n');
}
