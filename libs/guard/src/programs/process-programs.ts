import { safeExpression } from '../words/safe-expression.js';
import type { Processes } from '../words/unknown.js';
import { filtered, has, parseCall, valueOf, type OwnProcesses, type ParsedCall, type ProgramHandlers } from './program-tools.js';

/** Programs that list processes or send them signals. */
export const processHandlers: ProgramHandlers = {
  kill,
  pkill: (call) => killByPattern(call, has(call, 'full') ? 'line' : 'name'),
  killall: (call) => killByName(call),
  skill: (call) => killByName(call),
  fuser: (call) => {
    const whole = has(call, 'mount') && call.options.operands.some((path) => /^\/(?:home|usr)?$/.test(call.shell.resolve(path)));
    if (has(call, 'kill') && whole) signal(call, 'everything');
    return '';
  },
  pgrep: (call) => {
    const [pattern] = call.options.operands;
    return list(call, { everything: pattern === undefined || has(call, 'inverse'), patterns: pattern === undefined ? [] : [pattern] });
  },
  pidof: (call) => list(call, { everything: false, patterns: call.options.operands }),
  ps: (call) => list(call, processesOf(call)),
  seq: sequence,
};

type Reach = 'everything' | 'user' | 'own' | 'general';

function signal(call: ParsedCall, reach: Reach): void {
  call.shell.report({ effect: 'signal', attributes: { reach } });
}

function list(call: ParsedCall, processes: Processes): string {
  return call.shell.unknown({ empty: 'output', processes });
}

function processesOf(call: ParsedCall): Processes {
  if (call.args.some((word) => /\bppid=?$/.test(word)) && call.args.includes('-p')) return { everything: false, patterns: ['ollie'] };
  const name = valueOf(call, 'C');
  if (name !== undefined) return { everything: false, patterns: [name] };
  return { everything: !has(call, 'p') && !has(call, 'ppid'), patterns: [] };
}

const LONG_SEQUENCE = 1000;
const SHOWN = 40;

/** A long row of numbers given to kill reaches whatever runs. */
function sequence(call: ParsedCall): string {
  const numbers = call.args.filter((word) => /^-?\d+$/.test(word)).map(Number);
  const [from, to] = [numbers.length > 1 ? (numbers[0] ?? 1) : 1, numbers.at(-1) ?? 1];
  if (to - from > LONG_SEQUENCE) return list(call, { everything: true, patterns: [] });
  if (to < from || to - from > SHOWN) return filtered(call);
  return Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('');
}

function kill(call: ParsedCall): string {
  const { name, rest } = signalOf(call.args);
  if (/^(?:0|l|L)$/.test(name) || /^--(?:list|table)\b/.test(call.args[0] ?? '')) return '';
  for (const target of rest[0] === '--' ? rest.slice(1) : rest) killTarget(call, target);
  return '';
}

/** kill takes a signal first: `-s X`, `--signal=X`, `-X`. */
function signalOf(args: readonly string[]): { readonly name: string; readonly rest: readonly string[] } {
  const [first = '', second = ''] = args;
  if (/^(?:-[sn]|--signal)$/.test(first)) return { name: second, rest: args.slice(2) };
  const joined = /^-(?:-signal=)?([^-].*)$/.exec(first);
  return joined === null ? { name: '', rest: args } : { name: joined[1] ?? '', rest: args.slice(1) };
}

function killTarget(call: ParsedCall, target: string): void {
  if (target === '-1') signal(call, 'everything');
  if (/[\ue000-\ue002]/.test(target) && !target.startsWith('%')) signal(call, 'everything');
  for (const { processes } of call.shell.session.unknowns.in(target)) {
    if (processes?.everything === true) signal(call, 'everything');
    for (const pattern of processes?.patterns ?? []) reportReach(call, pattern, 'name');
  }
}

function killByPattern(call: ParsedCall, where: 'name' | 'line'): string {
  const { given, operands } = call.options;
  if (given.has('0') || given.has('list')) return '';
  const [pattern] = operands;
  const file = valueOf(call, 'pidfile');
  if (given.has('inverse')) signal(call, 'everything');
  else if (pattern !== undefined) reportReach(call, has(call, 'exact') ? `^(?:${pattern})$` : pattern, where);
  else if (file !== undefined) reportReach(call, /([\w.-]+)\.pid$/.exec(file)?.[1] ?? 'x', 'name');
  else if (given.has('user')) signal(call, 'user');
  return '';
}

function killByName(call: ParsedCall): string {
  if (has(call, 'list') || call.options.given.has('0')) return '';
  const { operands } = call.options;
  if (operands.length === 0 && has(call, 'user')) signal(call, 'user');
  for (const name of operands) reportReach(call, has(call, 'regexp') ? name : `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'name');
  return '';
}

const STRANGERS = ['xqz', 'Wjk7'];

/** Which processes a pattern reaches, told by names that are known and by names that nobody has. */
function reachOf(pattern: string, where: 'name' | 'line', { own, commandLines, general }: OwnProcesses): Reach | undefined {
  const expression = safeExpression(pattern, 'i');
  const reaches = (names: readonly string[]): boolean => names.some((name) => expression?.test(name) ?? pattern.includes(name));
  if (STRANGERS.every((name) => reaches([name]))) return 'everything';
  if (reaches(own)) return 'own';
  return reaches(general) || (where === 'line' && reaches(commandLines)) ? 'general' : undefined;
}

function reportReach(call: ParsedCall, pattern: string, where: 'name' | 'line'): void {
  const reach = reachOf(pattern, where, call.data.processes);
  if (reach !== undefined) signal(call, reach);
}

/** A filter by pattern on a list of processes leaves those that have it. */
function narrowed(call: ParsedCall, pattern: string | undefined): string {
  const { unknowns } = call.shell.session;
  const found = unknowns.in(call.stdin ?? '').find(({ processes }) => processes?.everything === true);
  if (found === undefined || pattern === undefined || safeExpression(pattern)?.test('4321') === true) return filtered(call);
  return unknowns.derive(call.stdin ?? '', { processes: { everything: false, patterns: [pattern.replace(/^\[(\w)\]/, '$1')] } });
}

export const processFilters: ProgramHandlers = {
  grep: (call) => {
    const parsed = parseCall({ ...call, name: 'grep' }, call.data);
    const pattern = valueOf(parsed, 'regexp') ?? parsed.options.operands[0];
    return has(parsed, 'v') ? filtered(call) : narrowed(call, pattern);
  },
  awk: filterByAwk,
  gawk: filterByAwk,
  mawk: filterByAwk,
};

/** With `-i inplace`, awk edits the files after its program. */
function filterByAwk(call: ParsedCall): string {
  const at = call.args.indexOf('inplace');
  for (const path of at < 0 ? [] : call.args.slice(at + 2)) call.shell.write(path, 'edit', call.shell.unknown({ empty: 'never' }));
  return narrowed(call, awkPattern(call.args));
}

function awkPattern(args: readonly string[]): string | undefined {
  const program = args.find((word) => /[{/$]/.test(word)) ?? '';
  return /^\s*(?:\$\d+\s*~\s*)?\/([^/]+)\//.exec(program)?.[1];
}
