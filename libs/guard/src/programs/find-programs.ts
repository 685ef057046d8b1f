import { activate } from '../words/glob.js';
import { MARK } from '../words/unknown.js';
import { has, type ParsedCall, type ProgramHandlers } from './program-tools.js';

/** Programs that walk a tree, and may run a command on what they find. */
export const findHandlers: ProgramHandlers = { find, fd: fileFinder, fdfind: fileFinder };

const RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const NEUTRAL = new Set(['-mindepth', '-maxdepth', '-type', '-xtype', '-fstype']);
const VALUED = new Set([
  '-name',
  '-iname',
  '-path',
  '-ipath',
  '-wholename',
  '-regex',
  '-iregex',
  '-lname',
  '-mtime',
  '-mmin',
  '-atime',
  '-amin',
  '-ctime',
  '-cmin',
  '-newer',
  '-size',
  '-user',
  '-group',
  '-uid',
  '-gid',
  '-perm',
  '-inum',
  '-links',
  '-samefile',
  '-used',
  '-newermt',
  '-anewer',
  '-cnewer',
]);
const NAMES = new Set(['-name', '-iname']);
const PATHS = new Set(['-path', '-ipath', '-wholename']);
const FLAGS = new Set(['-empty', '-nouser', '-nogroup', '-executable', '-readable', '-writable']);

interface Search {
  readonly roots: readonly string[];
  /** Names and paths that files must have, as patterns. */
  readonly names: readonly string[];
  readonly paths: readonly string[];
  /** Other tests that leave some files out. */
  readonly narrowed: boolean;
  readonly commands: readonly (readonly string[])[];
  readonly deletes: boolean;
  readonly separator: string;
  readonly writes: readonly string[];
}

function find(call: ParsedCall): string {
  const search = readSearch(call.args);
  const found = search.roots.flatMap((root) => targets(call, root, search));
  if (search.deletes) for (const path of found) call.shell.reportPath({ effect: 'delete', recursive: true }, path);
  for (const path of search.writes) call.shell.write(path, 'replace', '');
  for (const command of search.commands) runOn(call, command, found);
  return found.map((path) => path + search.separator).join('');
}

function runOn(call: ParsedCall, command: readonly string[], found: readonly string[]): void {
  const together = found.length <= 16 ? found : found.slice(0, 16);
  for (const path of together) call.shell.arguments(command.map((word) => word.replaceAll('{}', path)));
}

/** What the search finds: everything below a root, or what has a wanted name, or something. */
function targets(call: ParsedCall, root: string, { names, paths, narrowed }: Search): readonly string[] {
  const named = names.map((name) => `${root}/${activate(name)}`);
  const wanted = [...named, ...paths.map((path) => activate(path))];
  if (wanted.length > 0) return wanted;
  return [narrowed ? `${root}/${call.shell.unknown({ empty: 'never' })}` : `${root}/${MARK.tree}`];
}

function readSearch(args: readonly string[]): Search {
  const from = args.findIndex((word) => /^-(?![HLP]$|[OD])|^[(!]/.test(word));
  const roots = (from < 0 ? args : args.slice(0, from)).filter((word) => !word.startsWith('-'));
  const reader = new ExpressionReader(from < 0 ? [] : args.slice(from));
  return { roots: roots.length > 0 ? roots : ['.'], ...reader.read() };
}

class ExpressionReader {
  private readonly names: string[] = [];
  private readonly paths: string[] = [];
  private readonly commands: string[][] = [];
  private readonly writes: string[] = [];
  private narrowed = false;
  private deletes = false;
  private separator = '\n';
  private at = 0;

  constructor(private readonly words: readonly string[]) {}

  read(): Omit<Search, 'roots'> {
    while (this.at < this.words.length) this.next(false);
    const { names, paths, narrowed, commands, deletes, separator, writes } = this;
    return { names, paths, narrowed, commands, deletes, separator, writes };
  }

  private next(negated: boolean): void {
    const word = this.words[this.at] ?? '';
    this.at += 1;
    if (word === '!' || word === '-not') this.next(true);
    else if (RUNS.has(word)) this.commands.push(this.command());
    else if (NEUTRAL.has(word)) this.at += 1;
    else if (VALUED.has(word)) this.test(word, negated);
    else if (FLAGS.has(word)) this.narrowed ||= !negated;
    else this.action(word);
  }

  private action(word: string): void {
    if (word === '-delete') this.deletes = true;
    if (word === '-print0') this.separator = '\0';
    if (word.startsWith('-fprint') || word === '-fls') this.writes.push(this.value());
    if (word === '-printf') this.at += 1;
  }

  private value(): string {
    this.at += 1;
    return this.words[this.at - 1] ?? '';
  }

  /** "All but these" is taken for all. */
  private test(word: string, negated: boolean): void {
    const value = this.value();
    if (negated || /^(?:\*|\.\*)$/.test(value)) return;
    if (NAMES.has(word)) this.names.push(value);
    else if (PATHS.has(word)) this.paths.push(value);
    else this.narrowed = true;
  }

  private command(): string[] {
    const rest = this.words.slice(this.at);
    const end = rest.findIndex((word, index) => word === ';' || (word === '+' && rest[index - 1] === '{}'));
    const command = end < 0 ? rest : rest.slice(0, end);
    this.at += command.length + 1;
    return command;
  }
}

/** fd takes a pattern, then directories; what follows -x or -X is run. */
function fileFinder(call: ParsedCall): string {
  const at = call.args.findIndex((word) => /^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)$/.test(word));
  const [pattern = '.', ...roots] = call.options.operands.slice(
    0,
    at < 0 ? undefined : call.args.slice(0, at).filter((word) => !word.startsWith('-')).length,
  );
  const all = (pattern === '.' || pattern === '') && !has(call, 'e');
  const found = (roots.length > 0 ? roots : ['.']).map((root) => `${root}/${all ? MARK.tree : call.shell.unknown({ empty: 'never' })}`);
  const command = at < 0 ? [] : call.args.slice(at + 1);
  if (command.length > 0) runOn(call, command.includes('{}') ? command : [...command, '{}'], found);
  return found.map((path) => `${path}\n`).join('');
}
