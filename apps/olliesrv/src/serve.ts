import type { Socket } from 'node:net';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { type Log, messageOf, visible } from '#config';
import type { Mount } from '#fuse';
import { nestLog, returnMemoryWhenIdle, runUntilSignal, ShutdownPlan, type ShutdownStep } from '#lifecycle';
import { ToolHostFactory } from '#model';
import type { ServerLimits } from '#ninep';
import { findHelper } from '#sandbox';
import { SessionRegistry } from '#session';
import { type Retention, retentionFrom, SessionStore, StoreLock, Sweeper } from '#store';
import { type Door, NinePStrategy } from '#transport-ninep';
import { mount } from '#virtfs';
import { DbusDoor } from './dbus/dbus-door.js';
import { mountNamespace } from './mount-namespace.js';
import { NamespaceDoors } from './namespace-doors.js';
import { olliesrvNamespace } from './namespace/root.js';
import { OlliesrvModule } from './olliesrv.module.js';
import type { OlliesrvOptions } from './olliesrv-options.js';
import { OlliesrvServices } from './olliesrv-services.js';
import { PeerCheck } from './peer-check.js';
import { PidFile } from './pid-file.js';
import { ServerControl } from './server-control.js';

/** `waitMs`: how long a blocked read lasts for clients that do not say; undefined = for ever. */
export interface ServeOptions extends OlliesrvOptions {
  /** Addresses of Unix sockets. */
  readonly sockets: readonly string[];
  readonly doors: readonly Door[];
  readonly limits: Partial<ServerLimits>;
  readonly waitMs: number | undefined;
  /** Programs that may change things although they run in a sandbox, by path; see PeerCheck. */
  readonly allowSandboxed: readonly string[];
  /** Where the namespace is mounted as well. */
  readonly mountPoint: string | undefined;
}

/**
 * Serves until a signal or `kill` comes, and then lets the process end with 0. Resolves with the addresses
 * when clients are accepted. Rejects, with everything undone, when one cannot be bound or the mount cannot be made.
 */
export async function serve(options: ServeOptions): Promise<readonly string[]> {
  const { data } = options.paths;
  const retention = retentionFrom(options.environment);
  const lock = await StoreLock.take(data, options.sockets[0] ?? '');
  try {
    return await serveFrom(new SessionStore(data, options.log), { lock, retention }, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** What goes with the store of a server. */
interface Keeping {
  readonly lock: StoreLock;
  readonly retention: Retention;
}

async function serveFrom(store: SessionStore, { lock, retention }: Keeping, options: ServeOptions): Promise<readonly string[]> {
  let strategy: NinePStrategy | undefined;
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(OlliesrvModule.forRoot({ ...options, store }), {
    inject: [OlliesrvServices, NamespaceDoors],
    useFactory: (services: OlliesrvServices, doors: NamespaceDoors) => {
      doors.serveBy((strategy = door(services, options)));
      return { strategy };
    },
    logger: nestLog(options.log),
    abortOnError: false,
  });
  let mounted: Mount | undefined;
  try {
    app.get(SessionRegistry).restore();
    await app.listen();
    if (strategy && options.mountPoint !== undefined) mounted = await mountNamespace(strategy, options.mountPoint, options.log);
  } catch (error) {
    await app.get(SessionRegistry).close();
    await app.close();
    throw error;
  }
  const pidFiles = options.sockets.map((address) => new PidFile(address));
  for (const file of pidFiles) file.write(options.log);
  const bus = new DbusDoor(app.get(OlliesrvServices), options);
  bus.open();
  const sweeper = new Sweeper(options.paths.data, retention, options.log);
  const last: ShutdownStep = [
    'lock and pid file',
    async () => {
      await sweeper.stop();
      lock.release();
      pidFiles.forEach((file) => file.remove());
    },
  ];
  armShutdown(app, [['mount', () => mounted?.close()], ['D-Bus', () => bus.close()], last], options.log);
  returnMemoryWhenIdle();
  runUntilSignal(app);
  app.get(ServerControl).onStop(() => process.kill(process.pid, 'SIGTERM'));
  return strategy?.addresses ?? [];
}

/** Doors are shut first, the mount and D-Bus last of them: then end the turns, and what is left of the tool servers. */
function armShutdown(
  app: INestMicroservice,
  [mounted, bus, pidFiles]: readonly [ShutdownStep, ShutdownStep, ShutdownStep],
  log: Log,
): void {
  const [sessions, hosts, plan] = [app.get(SessionRegistry), app.get(ToolHostFactory), app.get(ShutdownPlan)];
  plan.set(mounted, bus, ['sessions', () => sessions.close()], ['tool servers', () => hosts.close()], pidFiles, ['log', () => log.flush()]);
  plan.arm();
}

function door(services: OlliesrvServices, { sockets, doors, limits, log, waitMs, allowSandboxed }: ServeOptions): NinePStrategy {
  const peers = PeerCheck.start(findHelper(), allowSandboxed, log);
  return new NinePStrategy(mount(olliesrvNamespace, services), {
    listen: [...sockets.map((address) => ({ address, ...(peers && { admitChange: (socket: Socket) => peers.admit(socket) }) })), ...doors],
    limits,
    onBug: (error) => log.error(`9P: ${error instanceof Error && error.stack ? error.stack : messageOf(error)}`),
    onTrace: (line) => log.debug(line),
    onCloseError: (error, path) => services.events.publish('error', {}, { text: visible(`${path}: ${messageOf(error)}`) }),
    ...(waitMs !== undefined && { waitMs }),
  });
}
