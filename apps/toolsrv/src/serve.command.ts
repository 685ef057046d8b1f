import { resolve } from 'node:path';
import { Command, Option } from 'nest-commander';
import { ConfigError, createLog, expandTilde, installedVersion, packageRoot, parseDuration, Paths, type LogThreshold } from '#config';
import { Subcommand, UsageError } from '#lifecycle';
import { parseAddress } from '#ninep';
import { findHelper } from '#sandbox';
import { requireDirectory } from './require-directory.js';
import { sandboxEnvironment } from './sandbox/sandbox-place.js';
import { secretIn } from './secret-in.js';
import { ServerWorld } from './server-world.js';
import { startServer } from './start-server.js';

const BYPASS_MS = 300_000;
/** A day; a Node timer can wait for 24. */
const MAX_BYPASS_MS = 86_400_000;
const LEVELS: readonly LogThreshold[] = ['debug', 'info', 'warn', 'error', 'off'];

interface ServeFlags {
  readonly cwd?: string;
  readonly listen: string;
  readonly yolo?: boolean;
  readonly auth?: boolean;
  readonly idleTimeout?: number;
  readonly secretFd?: number;
  readonly observerSecretFile?: string;
  readonly bypassTimeout?: number;
  readonly lastProcess?: number;
  readonly log?: LogThreshold;
}

@Command({ name: 'serve', description: 'serve the tools of this host over 9P' })
export class ServeCommand extends Subcommand {
  constructor(private readonly world: ServerWorld) {
    super();
  }

  @Option({ flags: '--cwd <path>', description: 'where calls run that name no directory (default: here)' })
  cwd(path: string): string {
    return path;
  }

  @Option({ flags: '--listen <socket>', description: 'Unix socket: a path or unix!path', required: true })
  listen(socket: string): string {
    return socket;
  }

  @Option({ flags: '--yolo', description: 'run tools without a sandbox (development only)' })
  yolo(): boolean {
    return true;
  }

  @Option({ flags: '--no-auth', description: 'let every client in and ask for no token (debugging only)' })
  auth(): boolean {
    return false;
  }

  @Option({ flags: '--idle-timeout <duration>', description: 'end so long after the last client has gone: 30s, 5m, 1h' })
  idleTimeout(duration: string): number {
    return durationOf('--idle-timeout', duration);
  }

  @Option({
    flags: '--secret-fd <number>',
    description: 'addition: read the secret from this descriptor (a second line: that of observers); when its pipe ends, end',
  })
  secretFd(descriptor: string): number {
    if (!/^\d{1,6}$/.test(descriptor)) throw new UsageError(`--secret-fd: ${descriptor} is no descriptor`);
    return Number(descriptor);
  }

  @Option({ flags: '--observer-secret-file <file>', description: 'addition: who approves what leaves the sandbox must know what is in it' })
  observerSecretFile(file: string): string {
    return file;
  }

  @Option({ flags: '--bypass-timeout <duration>', description: 'addition: how long a call waits for approval (default: 300s)' })
  bypassTimeout(duration: string): number {
    const ms = durationOf('--bypass-timeout', duration);
    if (ms > 0 && ms <= MAX_BYPASS_MS) return ms;
    throw new UsageError(`--bypass-timeout: ${duration} is not between 1ms and 24h`);
  }

  @Option({ flags: '--last-process <number>', description: 'addition: number processes from the next one on (default: 0)' })
  lastProcess(number: string): number {
    if (!/^\d{1,14}$/.test(number)) throw new UsageError(`--last-process: ${number} is no number of a process`);
    return Number(number);
  }

  @Option({ flags: '--log <level>', description: `addition: what is logged: ${LEVELS.join(' ')} (default: info)` })
  log(level: string): LogThreshold {
    const found = LEVELS.find((known) => known === level);
    if (found === undefined) throw new UsageError(`--log: ${level} is none of ${LEVELS.join(' ')}`);
    return found;
  }

  async run(_args: string[], flags: ServeFlags): Promise<void> {
    const path = socketPath(flags.listen);
    const env = sandboxEnvironment(this.world.env);
    const paths = Paths.from(env);
    const options = {
      cwd: requireDirectory('--cwd', resolve(this.world.cwd, expandTilde(flags.cwd ?? '.', paths.home))),
      listen: `unix!${path}`,
      yolo: flags.yolo ?? false,
      auth: flags.auth ?? true,
      idleTimeoutMs: flags.idleTimeout,
      secretFd: flags.secretFd,
      observerSecret: observerSecret(flags),
      bypassTimeoutMs: flags.bypassTimeout ?? BYPASS_MS,
      lastProcess: flags.lastProcess ?? 0,
      version: installedVersion(packageRoot()),
      logLevel: flags.log ?? 'info',
    } as const;
    const log = createLog('toolsrv', options.logLevel);
    await startServer(options, { env, paths, log, node: process.execPath, helper: findHelper() });
    process.stdout.write(`toolsrv: listening on ${options.listen}\n`);
  }
}

function durationOf(option: string, duration: string): number {
  try {
    return parseDuration(duration);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(`${option}: ${error.message}`);
    throw error;
  }
}

/** One way at a time, and none where nobody has to prove anything: a wrong idea of who may approve is worse than an error. */
function observerSecret({ observerSecretFile: file, secretFd, auth = true }: ServeFlags): string | undefined {
  if (file === undefined) return undefined;
  if (!auth) throw new UsageError('--observer-secret-file and --no-auth exclude each other');
  if (secretFd !== undefined)
    throw new UsageError('--observer-secret-file and --secret-fd exclude each other: it is the second line there');
  return secretIn('--observer-secret-file', file);
}

function socketPath(text: string): string {
  const address = parseAddress(text);
  if (address.type !== 'unix') throw new UsageError(`--listen: ${text} is no Unix socket`);
  return resolve(address.path);
}
