import { dirname } from 'node:path';
import { Command, Option } from 'nest-commander';
import { ConfigError, createLog, ensureEnvironment, type LogThreshold, parseDuration, Paths } from '#config';
import { UsageError } from '#lifecycle';
import { ensureOwnDirectory } from '#ninep';
import { defaultAddress, socketPath } from '../addresses.js';
import { serve } from '../serve.js';
import { DaemonCommand } from './daemon-command.js';
import { World } from './world.js';

const LEVELS: readonly LogThreshold[] = ['debug', 'info', 'warn', 'error', 'off'];

interface ServeFlags {
  readonly listen?: readonly string[];
  readonly waitTimeout?: number;
  readonly log?: LogThreshold;
}

@Command({ name: 'serve', aliases: ['fgstart'], description: 'serve the namespace in the foreground' })
export class ServeCommand extends DaemonCommand {
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

  @Option({ flags: '--log <level>', description: `what is logged: ${LEVELS.join(' ')}` })
  log(level: string): LogThreshold {
    const found = LEVELS.find((known) => known === level);
    if (!found) throw new UsageError(`--log: ${level} is none of ${LEVELS.join(' ')}`);
    return found;
  }

  async run(_args: string[], { listen, waitTimeout, log = 'info' }: ServeFlags): Promise<void> {
    const environment = ensureEnvironment(this.world.environment);
    const addresses = listen ?? [this.ownAddress()];
    const sockets = addresses.map(socketPath);
    await serve({
      listen: addresses,
      waitMs: waitTimeout === 0 ? undefined : waitTimeout,
      paths: Paths.from(environment),
      environment,
      cwd: this.world.cwd,
      log: createLog('olliesrv', log),
    });
    process.stdout.write(sockets.map((path) => `olliesrv: listening on unix!${path}\n`).join(''));
  }

  private ownAddress(): string {
    const address = defaultAddress(this.world.environment);
    ensureOwnDirectory(dirname(socketPath(address)));
    return address;
  }
}
