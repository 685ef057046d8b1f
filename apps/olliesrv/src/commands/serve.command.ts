import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command, Option } from 'nest-commander';
import { ConfigError, createLog, ensureEnvironment, type LogThreshold, parseDuration, Paths } from '#config';
import { Subcommand, UsageError } from '#lifecycle';
import { ensureOwnDirectory, type ServerLimits } from '#ninep';
import { defaultAddress, socketPath } from '../addresses.js';
import { ANYBODY } from '../peer-check.js';
import { serve } from '../serve.js';
import { LIMIT_NAMES, withLimit } from './limits.js';
import { tcpDoors, type TcpFlags } from './tcp-doors.js';
import { World } from './world.js';

const LEVELS: readonly LogThreshold[] = ['debug', 'info', 'warn', 'error', 'off'];

interface ServeFlags extends TcpFlags {
  readonly listen?: readonly string[];
  readonly waitTimeout?: number;
  readonly log?: LogThreshold;
  readonly limit?: Partial<ServerLimits>;
  readonly mount?: string;
  readonly allowSandboxed?: readonly string[];
}

@Command({ name: 'serve', aliases: ['fgstart'], description: 'serve the namespace in the foreground' })
export class ServeCommand extends Subcommand {
  constructor(private readonly world: World) {
    super();
  }

  @Option({ flags: '-l, --listen <address>', description: 'unix!path; may be repeated (default: unix!$NAMESPACE/ollie)' })
  listen(address: string, earlier: readonly string[] = []): readonly string[] {
    return [...earlier, address];
  }

  @Option({
    flags: '--wait-timeout <duration>',
    description: 'how long a blocked read lasts for clients that do not say (default: for ever)',
  })
  waitTimeout(duration: string): number {
    try {
      return parseDuration(duration);
    } catch (error) {
      if (error instanceof ConfigError) throw new UsageError(`--wait-timeout: ${error.message}`);
      throw error;
    }
  }

  @Option({ flags: '--tcp <address>', description: 'HOST!PORT or HOST:PORT as well, in clear text; may be repeated' })
  tcp(address: string, earlier: readonly string[] = []): readonly string[] {
    return [...earlier, address];
  }

  @Option({ flags: '--tcp-secret-file <file>', description: 'who comes over TCP must know what is in this file' })
  tcpSecretFile(file: string): string {
    return file;
  }

  @Option({ flags: '--tcp-no-auth', description: 'who comes over TCP is a guest: reads, prompts and stops' })
  tcpNoAuth(): boolean {
    return true;
  }

  @Option({ flags: '--limit <setting>', description: `NAME=NUMBER, for each connection; names: ${LIMIT_NAMES}; may be repeated` })
  limit(setting: string, earlier?: Partial<ServerLimits>): Partial<ServerLimits> {
    return withLimit(setting, earlier);
  }

  @Option({
    flags: '--allow-sandboxed <program>',
    description: 'a program whose clients may change things although they run in a sandbox (Flatpak), or all; may be repeated',
  })
  allowSandboxed(program: string, earlier: readonly string[] = []): readonly string[] {
    if (program === ANYBODY) return [...earlier, program];
    const path = resolve(this.world.cwd, program);
    if (!existsSync(path)) throw new UsageError(`--allow-sandboxed: ${program} is not there`);
    return [...earlier, path];
  }

  @Option({ flags: '--mount <directory>', description: 'mount the namespace there as well, until the end' })
  mount(directory: string): string {
    return resolve(this.world.cwd, directory);
  }

  @Option({ flags: '--log <level>', description: `what is logged: ${LEVELS.join(' ')}` })
  log(level: string): LogThreshold {
    const found = LEVELS.find((known) => known === level);
    if (!found) throw new UsageError(`--log: ${level} is none of ${LEVELS.join(' ')}`);
    return found;
  }

  async run(_args: string[], flags: ServeFlags): Promise<void> {
    const { listen, waitTimeout, limit = {}, log = 'info', mount, allowSandboxed = [], ...tcp } = flags;
    const doors = tcpDoors(tcp);
    const environment = ensureEnvironment({ ...this.world.environment, ...(mount !== undefined && { OLLIE: mount }) });
    const addresses = listen ?? [this.ownAddress()];
    const bound = await serve({
      sockets: addresses.map((address) => `unix!${socketPath(address)}`),
      doors,
      limits: limit,
      waitMs: waitTimeout === 0 ? undefined : waitTimeout,
      mountPoint: mount,
      allowSandboxed,
      paths: Paths.from(environment),
      environment,
      cwd: this.world.cwd,
      log: createLog('olliesrv', log),
    });
    process.stdout.write(bound.map((address) => `olliesrv: listening on ${address}\n`).join(''));
  }

  private ownAddress(): string {
    const address = defaultAddress(this.world.environment);
    ensureOwnDirectory(dirname(socketPath(address)));
    return address;
  }
}
