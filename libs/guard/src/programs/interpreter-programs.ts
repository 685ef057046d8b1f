import type { Shell } from '../shell/shell.js';
import { filtered, has, parseCall, valueOf, type ParsedCall, type ProgramHandlers } from './program-tools.js';

const SHELLS = ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'rbash', 'fish', 'yash', 'csh', 'tcsh'];
const OTHERS = [
  'python',
  'python2',
  'python3',
  'node',
  'nodejs',
  'bun',
  'perl',
  'ruby',
  'php',
  'lua',
  'Rscript',
  'pwsh',
  'osascript',
  'tclsh',
];

/** Programs that run code which they read. */
export const interpreterHandlers: ProgramHandlers = Object.fromEntries([
  ...SHELLS.map((name) => [name, runShell] as const),
  ...OTHERS.map((name) => [name, runOther] as const),
]);

/** A part of code that is not known and stands where a command does; elsewhere it is an argument. */
const COMMAND_PART = /(?:^|[;&|\n({`]|\b(?:then|do|else|exec|eval))\s*([\ue100-\uf8ff])/g;

/** Reports code that comes from a download, or that was decoded from what nobody can see. */
export function reportSource(shell: Shell, code: string): void {
  for (const [, part = ''] of code.matchAll(COMMAND_PART)) {
    const { download, encoded } = shell.session.unknowns.of(part) ?? {};
    if (download === true) shell.report({ effect: 'execute', attributes: { source: 'download' } });
    else if (encoded === true) shell.report({ effect: 'execute', attributes: { source: 'encoded' } });
  }
}

function runShell(call: ParsedCall): string {
  const parsed = parseCall({ ...call, name: 'bash', args: call.args.map(switchedOn) }, call.data, true);
  if (has(parsed, 'n') || has(parsed, 'version') || has(parsed, 'help')) return '';
  const { operands } = parsed.options;
  if (has(parsed, 'c')) return runCode(named(call, operands[1]), operands[0] ?? '', operands.slice(2));
  const file = has(parsed, 's') || operands[0] === '-' ? undefined : operands[0];
  if (file === undefined)
    return call.stdin === undefined ? '' : runCode({ ...call, stdin: undefined }, call.stdin, operands.slice(has(parsed, 's') ? 0 : 1));
  const content = call.shell.read(file, call.stdin);
  return content === undefined ? filtered(call) : runCode(call, content, operands.slice(1));
}

/** `+e` switches an option off, and `+o NAME` one by its name: here it only matters that they are options. */
function switchedOn(word: string): string {
  if (word === '+o' || word === '+O') return word.replace('+', '-');
  return /^\+[A-Za-z]+$/.test(word) ? '-e' : word;
}

/** The word after the code is its `$0`. */
function named(call: ParsedCall, name: string | undefined): ParsedCall {
  if (name === undefined) return call;
  const shell = call.shell.subshell();
  shell.environment.assign('0', name);
  return { ...call, shell };
}

function runCode({ shell, stdin }: ParsedCall, code: string, positional: readonly string[]): string {
  reportSource(shell, code);
  return shell.program(code, { stdin, positional });
}

/** Code of other languages is not read; where it comes from is. */
function runOther(call: ParsedCall): string {
  const parsed = parseCall({ ...call, name: 'python' }, call.data, true);
  const given = ['c', 'e', 'm', 'p', 'r', 'n', 'i', 'version', 'eval', 'print'].some((name) => has(parsed, name));
  const inline = valueOf(parsed, 'c') ?? valueOf(parsed, 'e') ?? valueOf(parsed, 'r') ?? valueOf(parsed, 'eval');
  if (given) {
    if (inline !== undefined) reportSource(call.shell, inline);
    return inline === undefined ? filtered(call) : call.shell.session.unknowns.derive(call.stdin ?? '', { encoded: true });
  }
  const [file] = parsed.options.operands;
  reportSource(call.shell, (file === undefined || file === '-' ? call.stdin : call.shell.read(file, call.stdin)) ?? '');
  return filtered(call);
}
