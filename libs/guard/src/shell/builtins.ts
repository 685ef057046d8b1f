import type { Unknown } from '../words/unknown.js';
import { echoText, formatPrintf } from './print.js';
import type { Call, Handler, Shell } from './shell.js';

/** Builtins that change the shell. */
export const builtins: Readonly<Record<string, Handler>> = {
  cd,
  pushd: cd,
  popd: (call) => cd({ ...call, args: ['-'] }),
  export: () => '',
  declare: () => '',
  typeset: () => '',
  local: () => '',
  readonly: () => '',
  eval: ({ args, stdin, shell }) => {
    if (shell.session.unknowns.in(args.join(' ')).length > 0) shell.programs.reportSource(shell, args.join(' '));
    return shell.script(args.join(' '), stdin);
  },
  source,
  '.': source,
  set,
  shift: ({ args, shell }) => {
    const { positional } = shell.state;
    shell.state.positional = positional?.slice(/^\d+$/.test(args[0] ?? '') ? Number(args[0]) : 1);
    return '';
  },
  unset: ({ args, shell }) => {
    for (const name of args) shell.state.variables.set(name, '');
    return '';
  },
  read,
  mapfile: readLines,
  readarray: readLines,
  trap: ({ args, shell }) => {
    const [script = ''] = args.filter((word) => word !== '--');
    if (script.startsWith('-') || script === '') return '';
    shell.programs.reportSource(shell, script);
    return shell.subshell().script(script);
  },
  alias: () => '',
  printf: (call) => {
    const [flag, name, ...rest] = call.args;
    if (flag !== '-v' || name === undefined) return formatPrintf(call.args.filter((word, index) => index > 0 || word !== '--'));
    call.shell.state.variables.set(name, formatPrintf(rest));
    return '';
  },
  echo: ({ args }) => echoText(args),
  return: (call) => {
    const activation = call.shell.context.active.at(-1);
    if (activation !== undefined) activation.returned = true;
    return leave(call);
  },
  exit: leave,
  ':': () => '',
  true: () => '',
  false: () => '',
  pwd: ({ shell }) => `${shell.state.directory}\n`,
};

function cd({ args, shell }: Call): string {
  const { state, environment } = shell;
  const before = state.directory;
  const target = args.find((word) => word === '-' || !/^[-+]/.test(word));
  const path = target === undefined ? environment.home : target === '-' ? (state.previousDirectory ?? environment.something()) : target;
  state.directory = path.startsWith('/') || !environmentOnly(path) ? shell.resolve(path) : path;
  state.previousDirectory = before;
  return '';
}

/** A path that begins with an unknown part leads from the root or from here, nobody knows. */
function environmentOnly(path: string): boolean {
  return /^[\ue100-\uf8ff]/.test(path);
}

function source({ args, stdin, shell }: Call): string {
  const [file = '', ...rest] = args.filter((word) => word !== '--');
  const content = shell.read(file, stdin);
  if (content === undefined) return runUnknown(shell, file);
  shell.programs.reportSource(shell, content);
  const { positional } = shell.state;
  if (rest.length > 0) shell.state.positional = rest;
  const output = shell.script(content, stdin);
  shell.state.positional = positional;
  return output;
}

/** What a file holds that the command did not write, nobody knows: it is a program as any other. */
function runUnknown(shell: Shell, file: string): string {
  const resolve = (path: string): string => shell.resolve(path);
  shell.report({ effect: 'run', attributes: { program: 'source' }, operands: [file], resolve });
  return '';
}

function set({ args, shell }: Call): string {
  const dashes = args.indexOf('--');
  if (dashes >= 0) shell.state.positional = args.slice(dashes + 1);
  else if (args[0] !== undefined && !/^[-+]/.test(args[0])) shell.state.positional = args;
  return '';
}

function read({ args, stdin, shell }: Call): string {
  const names = args.filter((word, index) => /^[A-Za-z_]\w*$/.test(word) && !/^-[dinNptu]$/.test(args[index - 1] ?? ''));
  const { unknowns } = shell.session;
  const lines = names.length > 1 ? [] : (stdin ?? '').split(/[\n\0]/).filter((line) => line.trim() !== '');
  const value = lines.length === 1 ? (lines[0] ?? '').trim() : unknowns.derive(stdin ?? '', { empty: 'never', ...choicesOf(lines) });
  for (const name of names.length > 0 ? names : ['REPLY']) {
    shell.state.variables.set(name, value);
    shell.state.arrays.delete(name);
  }
  return '';
}

/** What stands after may not be reached. */
function leave({ shell }: Call): string {
  for (const activation of shell.context.active) activation.guarded = true;
  return '';
}

function readLines({ args, stdin, shell }: Call): string {
  const name = args.findLast((word) => /^[A-Za-z_]\w*$/.test(word)) ?? 'MAPFILE';
  const lines = (stdin ?? '').split(/[\n\0]/).filter((line) => line !== '');
  shell.state.arrays.set(name, lines.slice(0, MAX_ELEMENTS));
  return '';
}

const MAX_LINES = 16;
const MAX_ELEMENTS = 1000;

/** A loop that reads lines has each of them once. */
function choicesOf(lines: readonly string[]): Pick<Unknown, 'choices'> {
  return lines.length > 1 && lines.length <= MAX_LINES ? { choices: lines.map((line) => line.trim()) } : {};
}
