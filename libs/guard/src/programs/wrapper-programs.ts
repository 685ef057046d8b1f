import { selected } from '../shell/selected.js';
import type { Shell } from '../shell/shell.js';
import { ShellState } from '../shell/state.js';
import { tokenize } from '../syntax/tokens.js';
import { expandWord } from '../words/expand-word.js';
import { parseOptions } from './options.js';
import { lookedUp } from './text-programs.js';
import { has, inputOf, parseCall, valueOf, type ParsedCall, type ProgramHandlers, type Wrapper } from './program-tools.js';

/** Words of the shell itself, before which a function is a function. */
const WITH_FUNCTIONS = new Set(['time', 'coproc', 'nocorrect', 'noglob']);
/** Builtins run in this very shell through them. */
const IN_SHELL = new Set(['command', 'builtin']);

/** Runs the command in the operands of a program such as env, nice or sudo. */
export function runWrapped(call: ParsedCall, wrapper: Wrapper): string {
  const { state } = call.shell;
  const { functions } = state;
  if (!WITH_FUNCTIONS.has(call.name)) state.functions = new Map();
  try {
    return runOperands(call, wrapper);
  } finally {
    state.functions = functions;
  }
}

function runOperands(call: ParsedCall, wrapper: Wrapper): string {
  const { given, operands } = parseOptions(call.args, wrapper.options, true);
  if (wrapper.unless.some((name) => given.has(name))) return looked(call.name, operands);
  const shell = inside(call, wrapper, given.get('chdir')?.at(-1));
  const split = (given.get('split-string') ?? []).flatMap((text) => wordsOf(text, shell));
  const words = [...split, ...operands.slice(wrapper.skip)].filter((word, index) => index > 0 || word !== '-');
  const first = words.findIndex((word) => !ASSIGNMENT.test(word));
  for (const word of words.slice(0, Math.max(first, 0))) assignWord(shell, word);
  const command = first < 0 ? [] : words.slice(words[first + 1] === '{' ? first + 1 : first);
  if (command[0] === '-c' && command[1] !== undefined) return shell.program(command[1], { stdin: call.stdin });
  if (command.length > 0) return shell.arguments(command, call.stdin);
  return wrapper.privileged && call.stdin !== undefined ? runStandardInput(shell, call.stdin) : '';
}

/** `command -v NAME` tells of the program, others with such options something else. */
function looked(name: string, operands: readonly string[]): string {
  return IN_SHELL.has(name) ? lookedUp(operands) : '';
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

/** env and sudo set variables for the command. */
function assignWord(shell: Shell, word: string): void {
  const [, name = '', value = ''] = ASSIGNMENT.exec(word) ?? [];
  shell.environment.assign(name, value);
}

function inside({ name, shell }: ParsedCall, { privileged }: Wrapper, directory: string | undefined): Shell {
  if (IN_SHELL.has(name)) return shell;
  const place = privileged ? shell.subshell({ privileged: true }) : shell.subshell();
  if (directory !== undefined) place.state.directory = place.resolve(directory);
  place.state.functions = shell.state.functions;
  return place;
}

function wordsOf(text: string, shell: Shell): readonly string[] {
  return tokenize(text).flatMap((token) => (token.type === 'word' ? expandWord(token.raw, shell.environment) : []));
}

function runStandardInput(shell: Shell, code: string): string {
  shell.programs.reportSource(shell, code);
  return shell.program(code, {});
}

/** Programs that run a command which they are given in some way of their own. */
export const wrapperHandlers: ProgramHandlers = {
  su: switchUser,
  runuser: switchUser,
  ssh: onAnotherHost,
  xargs: withArguments,
  parallel: inParallel,
  watch: (call) => call.shell.program(parseCall(call, call.data, true).options.operands.join(' '), {}),
  script: (call) => call.shell.program(valueOf(call, 'command') ?? '', { stdin: call.stdin }),
  at: later,
  batch: later,
};

function switchUser(call: ParsedCall): string {
  const shell = call.shell.subshell({ privileged: true });
  const code = valueOf(call, 'command');
  if (code !== undefined) return shell.program(code, { stdin: call.stdin });
  if (has(call, 'user')) return shell.arguments(call.options.operands, call.stdin);
  return call.stdin === undefined ? '' : runStandardInput(shell, call.stdin);
}

function onAnotherHost(call: ParsedCall): string {
  const { operands } = parseCall(call, call.data, true).options;
  const shell = call.shell.subshell({ remote: true });
  const remote = new ShellState(shell.session.parts.home);
  Object.assign(shell.state, remote);
  const command = operands.slice(operands[1] === '--' ? 2 : 1).join(' ');
  if (command !== '') return shell.script(command, call.stdin);
  return call.stdin === undefined ? '' : runStandardInput(shell, call.stdin);
}

const MAX_ITEMS = 1000;
const MAX_ROUNDS = 16;

function withArguments(call: ParsedCall): string {
  const parsed = parseCall(call, call.data, true);
  const file = valueOf(parsed, 'arg-file');
  const items = itemsOf(parsed, inputOf(call, file === undefined ? [] : [file]));
  const command = parsed.options.operands.length > 0 ? parsed.options.operands : ['echo'];
  const mark = valueOf(parsed, 'replace') ?? (has(parsed, 'replace') || has(parsed, 'i') ? '{}' : undefined);
  if (mark === undefined || mark === '') return call.shell.arguments([...command, ...items], '');
  const rounds = selected(items, MAX_ROUNDS).map((item) => command.map((word) => word.replaceAll(mark, item)));
  return rounds.map((words) => call.shell.arguments(words, '')).join('');
}

/** What is not known of the input makes an argument that is not empty. */
function itemsOf(call: ParsedCall, input: string): readonly string[] {
  const { unknowns } = call.shell.session;
  const separator = has(call, 'null') ? '\0' : has(call, 'replace') || has(call, 'delimiter') ? /[\n\0]/ : /[\s\0]+/;
  const items = input.split(separator).filter((item) => item !== '');
  return items.slice(0, MAX_ITEMS).map((item) => {
    const [unknown] = unknowns.in(item);
    return item.length === 1 && unknown !== undefined ? unknowns.add({ ...unknown, empty: 'never' }) : item.replace(/^(['"])(.*)\1$/, '$2');
  });
}

function inParallel(call: ParsedCall): string {
  const { operands } = parseCall(call, call.data, true).options;
  const marks = operands.findIndex((word) => /^::::?\+?$/.test(word));
  const command = marks < 0 ? operands : operands.slice(0, marks);
  const items = marks < 0 ? (call.stdin ?? '').split('\n').filter((line) => line !== '') : operands.slice(marks + 1);
  for (const item of selected(items, MAX_ROUNDS)) {
    const words = command.map((word) => word.replaceAll('{}', item));
    call.shell.program([...words, ...(command.some((word) => word.includes('{')) ? [] : [item])].join(' '), {});
  }
  return '';
}

function later(call: ParsedCall): string {
  const file = valueOf(call, 'f');
  if (has(call, 'l') || has(call, 'd') || has(call, 'r')) return '';
  const code = file === undefined ? call.stdin : call.shell.read(file, undefined);
  return code === undefined ? '' : runStandardInput(call.shell, code);
}
