import { tokenize } from '../syntax/tokens.js';
import { expandWord } from '../words/expand-word.js';
import { has, parseCall, valueOf, type ParsedCall, type ProgramHandlers } from './program-tools.js';

export const gitHandlers: ProgramHandlers = { git };

type Subcommand = (call: ParsedCall, directory: string) => void;

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = { push, clean, submodule: forEach, bisect, rebase: execute };

/** git: its own options, then a subcommand. Rules see the subcommand as a program named `git push`. */
function git(call: ParsedCall): string {
  const { options, shell } = parseCall(call, call.data, true);
  const global = { ...call, options };
  const [name = '', ...args] = options.operands;
  const directory = (options.given.get('C') ?? []).reduce((from, to) => (to.startsWith('/') ? to : `${from}/${to}`), '.');
  const alias = (options.given.get('c') ?? []).find((setting) => setting.startsWith(`alias.${name}=`));
  if (alias !== undefined) return runAlias(call, alias.slice(alias.indexOf('=') + 1), args);
  const inner = parseCall({ ...call, name: `git ${name}`, args }, call.data);
  shell.report({
    effect: 'run',
    refines: true,
    attributes: { program: inner.name },
    options: new Set(inner.options.given.keys()),
    operands: inner.options.operands,
    resolve: (path) => shell.resolve(path.startsWith('/') ? path : `${directory}/${path}`),
  });
  SUBCOMMANDS[name]?.(inner, valueOf(global, 'work-tree') ?? directory);
  return shell.session.unknowns.derive(call.stdin ?? '');
}

function runAlias(call: ParsedCall, meaning: string, args: readonly string[]): string {
  if (meaning.startsWith('!')) return call.shell.program([meaning.slice(1), ...args].join(' '), { stdin: call.stdin });
  const words = tokenize(meaning).flatMap((token) => (token.type === 'word' ? expandWord(token.raw, call.shell.environment) : []));
  return call.shell.arguments(['git', ...words, ...args], call.stdin);
}

function push(call: ParsedCall): void {
  if (has(call, 'dry-run')) return;
  const how = has(call, 'mirror') ? 'mirror' : has(call, 'force') ? 'force' : has(call, 'force-with-lease') ? 'lease' : undefined;
  const refs = call.options.operands.slice(has(call, 'repo') ? 0 : 1);
  const everything = ['mirror', 'all', 'branches'].some((name) => has(call, name));
  if (how !== undefined && (everything || refs.length === 0)) reportPush(call, how, everything ? '*' : '');
  for (const ref of refs) pushRef(call, ref, how);
}

function pushRef(call: ParsedCall, ref: string, how: string | undefined): void {
  const plus = ref.startsWith('+');
  const [source = '', target] = ref.replace(/^\+/, '').split(':');
  const removes = has(call, 'delete') || (source === '' && target !== undefined && target !== '');
  const meant = removes ? 'delete' : plus ? 'force' : how;
  if (meant !== undefined) reportPush(call, meant, target ?? source);
}

function reportPush(call: ParsedCall, how: string, branch: string): void {
  const name = branch.replace(/^refs\/heads\//, '');
  call.shell.report({ effect: 'push', attributes: { how, branch: /[\ue000*]/.test(name) ? '*' : name } });
}

function clean(call: ParsedCall, directory: string): void {
  if (!has(call, 'force') || has(call, 'dry-run')) return;
  const paths = call.options.operands.filter((path) => path !== ':/' && path !== ':(top)');
  for (const path of paths.length > 0 ? paths : ['.']) {
    const place = path.startsWith('/') ? path : directory.startsWith('/') ? `${directory}/${path}` : `${directory}/${path}`;
    call.shell.reportPath({ effect: 'clean', attributes: { directories: has(call, 'd') ? 'yes' : 'no' } }, place);
  }
}

function forEach(call: ParsedCall): void {
  const [verb, ...code] = call.options.operands;
  if (verb === 'foreach') call.shell.program(code.join(' '), {});
}

function bisect(call: ParsedCall): void {
  if (call.args[0] === 'run') call.shell.arguments(call.args.slice(1));
}

function execute(call: ParsedCall): void {
  for (const code of call.options.given.get('exec') ?? []) call.shell.program(code, {});
}
