import type { Environment } from '../words/environment.js';
import { nonEmpty } from './proof.js';
import type { Session } from './session.js';
import type { ShellState } from './state.js';

/** Variables that every shell has with a value that nobody needs to know. */
const ALWAYS_SET = new Set([
  'PATH',
  'HOSTNAME',
  'UID',
  'EUID',
  'RANDOM',
  'SECONDS',
  'BASH',
  'BASHPID',
  'BASH_VERSION',
  'LINENO',
  'OSTYPE',
  'HOSTTYPE',
  'MACHTYPE',
  'LANG',
  'TERM',
  'BASH_SOURCE',
  'FUNCNAME',
  '?',
  '$',
  '!',
  '-',
  '#',
  '_',
]);

interface Hooks {
  substitute(script: string): string;
  connect(script: string, direction: string): string;
}

/** A shell's variables and directory, as words see them. */
export class ShellEnvironment implements Environment {
  constructor(
    private readonly session: Session,
    private readonly state: ShellState,
    private readonly hooks: Hooks,
  ) {}

  get home(): string {
    return this.state.variables.get('HOME') ?? this.session.parts.home;
  }

  get separators(): string {
    return this.state.variables.get('IFS') ?? ' \t\n';
  }

  directory(which: '+' | '-'): string {
    return which === '+' ? this.state.directory : (this.state.previousDirectory ?? this.something());
  }

  parameter(name: string): string | undefined {
    return this.positional(name) ?? this.state.variables.get(name) ?? this.special(name);
  }

  list(name: string): readonly string[] | undefined {
    if (name !== '@') return this.state.arrays.get(name);
    return this.state.positional ?? [this.session.unknowns.add({ empty: 'unset' })];
  }

  assign(name: string, value: string): void {
    this.state.variables.set(name, value);
  }

  substitute(script: string): string {
    return this.hooks.substitute(script);
  }

  connect(script: string, direction: string): string {
    return this.hooks.connect(script, direction);
  }

  mayBeUnset(value: string): boolean {
    return this.session.unknowns.of(value)?.empty === 'unset' && !this.state.proven.has(value);
  }

  require(value: string): void {
    this.state.prove(nonEmpty(value, this.session.unknowns));
  }

  unproven(value: string): string {
    const unknown = this.state.proven.has(value) ? this.session.unknowns.of(value) : undefined;
    return unknown === undefined ? value : this.session.unknowns.add({ ...unknown });
  }

  something(): string {
    return this.session.unknowns.add({ empty: 'never' });
  }

  private positional(name: string): string | undefined {
    if (!/^[1-9]\d*$/.test(name)) return undefined;
    const values = this.state.positional;
    if (values === undefined) return this.session.unknowns.add({ empty: 'unset' });
    return values[Number(name) - 1] ?? '';
  }

  private special(name: string): string | undefined {
    const value = ShellEnvironment.specials[name];
    if (value !== undefined) return value(this);
    return ALWAYS_SET.has(name) ? this.something() : this.unset(name);
  }

  private static readonly specials: Readonly<Record<string, (environment: ShellEnvironment) => string>> = {
    HOME: ({ home }) => home,
    PWD: ({ state }) => state.directory,
    OLDPWD: (environment) => environment.directory('-'),
    USER: ({ home }) => home.slice(home.lastIndexOf('/') + 1),
    LOGNAME: ({ home }) => home.slice(home.lastIndexOf('/') + 1),
    IFS: ({ separators }) => separators,
    SHELL: () => '/bin/bash',
    0: () => 'sh',
    PPID: ({ session }) => session.unknowns.add({ empty: 'never', processes: { everything: false, patterns: ['ollie'] } }),
  };

  private unset(name: string): string {
    const value = this.session.unknowns.add({ empty: 'unset' });
    this.state.variables.set(name, value);
    return value;
  }
}
