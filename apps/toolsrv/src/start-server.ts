import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { messageOf, type Log } from '#config';
import { PrivateTmp, ProcessLauncher, ProcessTable, SessionDirectories } from '#exec';
import { nestLog, returnMemoryWhenIdle, runUntilSignal, ShutdownPlan } from '#lifecycle';
import { NinePStrategy } from '#transport-ninep';
import { IdleMonitor } from './idle-monitor.js';
import { readOwnerPipe, type OwnerPipe } from './owner-pipe.js';
import type { ServeOptions } from './serve-options.js';
import type { ServerHost } from './server-host.js';
import { SessionAuth } from './session-auth.js';
import { ToolsrvModule } from './toolsrv.module.js';

/**
 * Serves until a signal, the end of the owner or idleness. Resolves when clients can connect; rejects when the
 * address cannot be bound or the secret cannot be read, with nothing left open.
 */
export async function startServer(options: ServeOptions, host: ServerHost): Promise<void> {
  const { log } = host;
  if (options.yolo) log.warn('yolo: tools run without a sandbox');
  const owner = options.secretFd === undefined ? undefined : await readOwnerPipe(options.secretFd);
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(ToolsrvModule.forRoot(options, host), {
    inject: [NinePStrategy],
    useFactory: (strategy: NinePStrategy) => ({ strategy }),
    logger: nestLog(log),
    abortOnError: false,
  });
  setSecrets(app.get(SessionAuth), owner, options);
  try {
    await app.listen();
  } catch (error) {
    owner?.close();
    await app.close();
    throw error;
  }
  runUntilEnd(app, { owner, idleMs: options.idleTimeoutMs, log });
}

/** The owner may hand over the observers' secret at any time, and mostly does so together with the first. */
function setSecrets(auth: SessionAuth, owner: OwnerPipe | undefined, { observerSecret }: ServeOptions): void {
  if (observerSecret !== undefined) auth.setObserverSecret(observerSecret);
  owner?.whenSecondLine((secret) => auth.setObserverSecret(secret));
  if (owner !== undefined) auth.setSecret(owner.secret);
}

interface Endings {
  readonly owner: OwnerPipe | undefined;
  readonly idleMs: number | undefined;
  readonly log: Log;
}

function runUntilEnd(app: INestMicroservice, { owner, idleMs, log }: Endings): void {
  // Every end takes the path of a signal, and so its order and its time limit.
  const end = (why: string): void => {
    log.info(`ending: ${why}`);
    process.kill(process.pid, 'SIGTERM');
  };
  const idle = new IdleMonitor(idleMs, () => end('idle'));
  watchActivity(app, idle);
  owner?.whenEnded(() => end('the owner is gone'));
  const plan = app.get(ShutdownPlan);
  plan.set(
    ['stop watching', () => (idle.stop(), owner?.close())],
    ['kill processes', () => app.get(ProcessTable).killAll()],
    ['end the supervisor', () => app.get(ProcessLauncher).close()],
    ['remove temporary files', () => removeFiles(app.get(PrivateTmp), log)],
    ['remove directories of sessions', () => app.get(SessionDirectories).remove()],
    ['flush log', () => log.flush()],
  );
  plan.arm();
  returnMemoryWhenIdle();
  runUntilSignal(app);
}

function watchActivity(app: INestMicroservice, idle: IdleMonitor): void {
  const strategy = app.get(NinePStrategy);
  const processes = app.get(ProcessTable);
  const note = (): void => idle.note({ connections: strategy.connections, running: processes.running });
  strategy.onConnections(note);
  processes.whenChanged(note);
  note();
}

/** Tools may have left directories that cannot be removed; that is worth a warning and no failed end. */
function removeFiles(tmp: PrivateTmp, log: Log): void {
  try {
    tmp.remove();
  } catch (error) {
    log.warn(`temporary files are left: ${messageOf(error)}`);
  }
}
