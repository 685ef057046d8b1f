import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { type Log, messageOf } from '#config';
import type { Mount } from '#fuse';
import { nestLog, runUntilSignal, ShutdownPlan, type ShutdownStep } from '#lifecycle';
import { ToolHostFactory } from '#model';
import type { ServerLimits } from '#ninep';
import { SessionRegistry } from '#session';
import { type Door, NinePStrategy } from '#transport-ninep';
import { mount } from '#virtfs';
import { mountNamespace } from './mount-namespace.js';
import { olliesrvNamespace } from './namespace/root.js';
import { OlliesrvModule } from './olliesrv.module.js';
import type { OlliesrvOptions } from './olliesrv-options.js';
import { OlliesrvServices } from './olliesrv-services.js';
import { PidFile } from './pid-file.js';
import { ServerControl } from './server-control.js';

/** `waitMs`: how long a blocked read lasts for clients that do not say; undefined = for ever. */
export interface ServeOptions extends OlliesrvOptions {
  /** Addresses of Unix sockets. */
  readonly sockets: readonly string[];
  readonly doors: readonly Door[];
  readonly limits: Partial<ServerLimits>;
  readonly waitMs: number | undefined;
  /** Where the namespace is mounted as well. */
  readonly mountPoint: string | undefined;
}

/**
 * Serves until a signal or `kill` comes, and then lets the process end with 0. Resolves with the addresses
 * when clients are accepted. Rejects, with everything undone, when one cannot be bound or the mount cannot be made.
 */
export async function serve(options: ServeOptions): Promise<readonly string[]> {
  let strategy: NinePStrategy | undefined;
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(OlliesrvModule.forRoot(options), {
    inject: [OlliesrvServices],
    useFactory: (services: OlliesrvServices) => ({ strategy: (strategy = door(services, options)) }),
    logger: nestLog(options.log),
    abortOnError: false,
  });
  let mounted: Mount | undefined;
  try {
    await app.listen();
    if (strategy && options.mountPoint !== undefined) mounted = await mountNamespace(strategy, options.mountPoint, options.log);
  } catch (error) {
    await app.close();
    throw error;
  }
  const pidFiles = options.sockets.map((address) => new PidFile(address));
  for (const file of pidFiles) file.write(options.log);
  armShutdown(
    app,
    [
      ['mount', () => mounted?.close()],
      ['pid file', () => pidFiles.forEach((file) => file.remove())],
    ],
    options.log,
  );
  runUntilSignal(app);
  app.get(ServerControl).onStop(() => process.kill(process.pid, 'SIGTERM'));
  return strategy?.addresses ?? [];
}

/** Doors are shut first, the mount last of them: then end the turns, and what is left of the tool servers. */
function armShutdown(app: INestMicroservice, [mounted, pidFiles]: readonly [ShutdownStep, ShutdownStep], log: Log): void {
  const [sessions, hosts, plan] = [app.get(SessionRegistry), app.get(ToolHostFactory), app.get(ShutdownPlan)];
  plan.set(mounted, ['sessions', () => sessions.close()], ['tool servers', () => hosts.close()], pidFiles, ['log', () => log.flush()]);
  plan.arm();
}

function door(services: OlliesrvServices, { sockets, doors, limits, log, waitMs }: ServeOptions): NinePStrategy {
  return new NinePStrategy(mount(olliesrvNamespace, services), {
    listen: [...sockets, ...doors],
    limits,
    onBug: (error) => log.error(`9P: ${error instanceof Error && error.stack ? error.stack : messageOf(error)}`),
    onTrace: (line) => log.debug(line),
    ...(waitMs !== undefined && { waitMs }),
  });
}
