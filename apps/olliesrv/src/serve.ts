import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { type Log, messageOf } from '#config';
import { nestLog, runUntilSignal, ShutdownPlan } from '#lifecycle';
import { ToolHostFactory } from '#model';
import { SessionRegistry } from '#session';
import { NinePStrategy } from '#transport-ninep';
import { mount } from '#virtfs';
import { olliesrvNamespace } from './namespace/root.js';
import { OlliesrvModule } from './olliesrv.module.js';
import type { OlliesrvOptions } from './olliesrv-options.js';
import { OlliesrvServices } from './olliesrv-services.js';
import { PidFile } from './pid-file.js';
import { ServerControl } from './server-control.js';

/** `waitMs`: how long a blocked read lasts for clients that do not say; undefined = for ever. */
export interface ServeOptions extends OlliesrvOptions {
  readonly listen: readonly string[];
  readonly waitMs: number | undefined;
}

/**
 * Serves until a signal or `kill` comes, and then lets the process end with 0. Resolves when clients are
 * accepted. Rejects, with everything undone, when an address cannot be bound.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(OlliesrvModule.forRoot(options), {
    inject: [OlliesrvServices],
    useFactory: (services: OlliesrvServices) => ({ strategy: door(services, options) }),
    logger: nestLog(options.log),
    abortOnError: false,
  });
  try {
    await app.listen();
  } catch (error) {
    await app.close();
    throw error;
  }
  const pidFiles = options.listen.map((address) => new PidFile(address));
  for (const file of pidFiles) file.write();
  armShutdown(app, pidFiles, options.log);
  runUntilSignal(app);
  app.get(ServerControl).onStop(() => process.kill(process.pid, 'SIGTERM'));
}

/** Doors are shut first: then end the turns, and what is left of the tool servers. */
function armShutdown(app: INestMicroservice, pidFiles: readonly PidFile[], log: Log): void {
  const [sessions, hosts, plan] = [app.get(SessionRegistry), app.get(ToolHostFactory), app.get(ShutdownPlan)];
  plan.set(
    ['sessions', () => sessions.close()],
    ['tool servers', () => hosts.close()],
    ['pid file', () => pidFiles.forEach((file) => file.remove())],
    ['log', () => log.flush()],
  );
  plan.arm();
}

function door(services: OlliesrvServices, { listen, log, waitMs }: ServeOptions): NinePStrategy {
  return new NinePStrategy(mount(olliesrvNamespace, services), {
    listen,
    onBug: (error) => log.error(`9P: ${error instanceof Error && error.stack ? error.stack : messageOf(error)}`),
    onTrace: (line) => log.debug(line),
    ...(waitMs !== undefined && { waitMs }),
  });
}
