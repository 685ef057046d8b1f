import { verbs } from './verbs.js';

export type HelpLine = readonly [usage: string, about: string];

const OPTIONS: readonly HelpLine[] = [
  ['-a ADDRESS', 'unix!PATH or tcp!HOST!PORT; without it the server in'],
  ['', '$NAMESPACE, else in /tmp/ns.$USER.$DISPLAY'],
  ['-A ANAME', 'attach name, such as wait=30s'],
  ['-u UNAME', 'user to attach as, if not you'],
  ['--secret-file FILE', 'what the server asks for, as over TCP'],
  ['-V', 'print the version'],
];

/** Help for a program that has these verbs; `more` are lines of its own. At most 80 columns, and 23 lines with three of its own. */
export function usageText(program: string, more: readonly HelpLine[] = []): string {
  const commands = [...Object.values(verbs).map(({ usage, about }) => [usage, about] as const), ...more, ['help', 'print this'] as const];
  return [
    `usage: ${program} [-a ADDRESS] [-A ANAME] [-u UNAME] [--secret-file FILE] COMMAND`,
    ...columns(commands),
    ...columns(OPTIONS),
    'Exit code: 0 done, 1 failed, 2 wrong command line, 128 + N ended by signal N',
    '(130 by SIGINT, 143 by SIGTERM).',
    '',
  ].join('\n');
}

function columns(lines: readonly HelpLine[]): readonly string[] {
  const width = Math.max(...lines.map(([usage]) => usage.length));
  return lines.map(([usage, about]) => `  ${usage.padEnd(width)}  ${about}`);
}
