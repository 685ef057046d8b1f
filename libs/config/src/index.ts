// Signatures to build. Each concept goes to its own file; this file becomes hand-written re-exports.

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where everything lives, resolved once from the environment (semantics.md section 8; XDG defaults). */
export declare class Paths {
  static from(env: Environment): Paths;
  readonly home: string;
  /** OLLIE_CFG_PATH, ~/.config/ollie. */
  readonly config: string;
  /** OLLIE_DATA_PATH, ~/.local/share/ollie. */
  readonly data: string;
  /** OLLIE_TOOLS_PATH entries, else [~/.config/ollie/tools]; the packaged directory is last. */
  readonly tools: readonly string[];
  /** OLLIE_AGENTS_PATH, likewise. */
  readonly agents: readonly string[];
  /** OLLIE_PROMPTS_PATH, likewise. */
  readonly prompts: readonly string[];
  /** XDG_RUNTIME_DIR/ollie, else <data>/run: 0700, made on demand by its users. */
  readonly runtime: string;
  /** The packaged config/ directory. */
  readonly packaged: string;
}

/** The directory of this installation: the nearest package.json named "ollie" above the running script. */
export declare function packageRoot(): string;

/** The environment with every missing OLLIE_* default filled in and ~/.config/ollie/env read (process env wins). */
export declare function ensureEnvironment(env: Environment): Record<string, string>;

/** `~` and `~/x` to the home directory; anything else as it is. */
export declare function expandTilde(path: string, home: string): string;

/** `2s`, `5m`, `1h`, `250ms`, `0` in milliseconds. Throws ConfigError. */
export declare function parseDuration(text: string): number;

/** Reads YAML to plain values; throws ConfigError naming file, line and reason. */
export declare function loadYaml(file: string): unknown;

export declare class ConfigError extends Error {
  readonly posix: 'EINVAL';
  constructor(message: string);
}

export type LogThreshold = 'debug' | 'info' | 'warn' | 'error' | 'off';

/** One line per call on stderr (and in $OLLIE_LOG): time, level, tag, text with control characters made visible. */
export interface Log {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
}
export declare function createLog(tag: string, threshold: LogThreshold): Log;
export declare const silentLog: Log;
