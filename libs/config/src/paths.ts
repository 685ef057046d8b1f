import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { valueOf, type Environment } from './environment.js';
import { packageRoot } from './package-root.js';
import { expandTilde } from './tilde.js';

/** Where everything lives, resolved once from the environment. Every path is absolute; none is created here. */
export class Paths {
  readonly home: string;
  /** OLLIE_CFG_PATH, else ollie in XDG_CONFIG_HOME, else ~/.config/ollie. */
  readonly config: string;
  /** OLLIE_DATA_PATH, else ollie in XDG_DATA_HOME, else ~/.local/share/ollie. */
  readonly data: string;
  /** OLLIE_TOOLS_PATH, else <config>/tools; the packaged directory comes last. The first match of a search wins. */
  readonly tools: readonly string[];
  /** OLLIE_AGENTS_PATH, likewise. */
  readonly agents: readonly string[];
  /** OLLIE_PROMPTS_PATH, likewise. */
  readonly prompts: readonly string[];
  /** ollie in XDG_RUNTIME_DIR, else <data>/run: 0700, made on demand by its users. */
  readonly runtime: string;
  /** The packaged config/ directory. */
  readonly packaged: string;

  private constructor(private readonly env: Environment) {
    this.home = valueOf(env, 'HOME') ?? userInfo().homedir;
    this.config = this.absolute(valueOf(env, 'OLLIE_CFG_PATH') ?? this.base('XDG_CONFIG_HOME', '~/.config'));
    this.data = this.absolute(valueOf(env, 'OLLIE_DATA_PATH') ?? this.base('XDG_DATA_HOME', '~/.local/share'));
    this.runtime = xdg(env, 'XDG_RUNTIME_DIR') === undefined ? join(this.data, 'run') : this.base('XDG_RUNTIME_DIR', '');
    this.packaged = join(packageRoot(), 'config');
    this.tools = this.search('OLLIE_TOOLS_PATH', 'tools');
    this.agents = this.search('OLLIE_AGENTS_PATH', 'agents');
    this.prompts = this.search('OLLIE_PROMPTS_PATH', 'prompts');
  }

  static from(env: Environment): Paths {
    return new Paths(env);
  }

  /** The socket by which an agent with that id comes into the namespace. */
  agentDoor(agentId: string): string {
    return join(this.runtime, 'agent', agentId);
  }

  private base(variable: string, otherwise: string): string {
    return this.absolute(join(xdg(this.env, variable) ?? otherwise, 'ollie'));
  }

  private search(variable: string, name: string): readonly string[] {
    const list = valueOf(this.env, variable) ?? join(this.config, name);
    const own = list.split(':').filter((entry) => entry !== '');
    return [...own.map((entry) => this.absolute(entry)), join(this.packaged, name)];
  }

  private absolute(path: string): string {
    return resolve(expandTilde(path, this.home));
  }
}

/** The base directory specification has relative values ignored. */
function xdg(env: Environment, name: string): string | undefined {
  const value = valueOf(env, name);
  return value !== undefined && isAbsolute(value) ? value : undefined;
}
