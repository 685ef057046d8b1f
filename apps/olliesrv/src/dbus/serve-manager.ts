import type { Log } from '#config';
import type { OlliesrvServices } from '../olliesrv-services.js';
import type { BusConnection } from './bus-connection.js';
import type { BusCall } from './bus-messages.js';
import type { CallerCheck } from './caller-check.js';
import { Dispatch } from './dispatch.js';
import { errorReply } from './error-reply.js';
import { guardedBody } from './guarded-body.js';
import { MANAGER_PATH } from './object-path.js';
import { sessionManager } from './session-manager.js';
import { type SignalOut, SessionSignals } from './session-signals.js';

/** What is behind the door. */
export interface Behind {
  readonly services: OlliesrvServices;
  readonly check: CallerCheck;
  readonly log: Log;
}

/** Answers calls, takes the name, and tells what happens until `close` of what it gives. Rejects with BusError. */
export async function serveManager(connection: BusConnection, { services, check, log }: Behind): Promise<SessionSignals> {
  const dispatch = new Dispatch(sessionManager, services, ({ sender }) => check(sender, connection));
  connection.serve((call: BusCall) => dispatch.answer(call).catch((error: unknown) => errorReply(error, log)));
  await connection.own(sessionManager.name);
  return new SessionSignals(signalsOver(connection), services);
}

function signalsOver(connection: BusConnection): SignalOut {
  return {
    get backlogBytes() {
      return connection.backlogBytes;
    },
    emit: (member, values) => {
      const types = Object.values(sessionManager.signals[member]);
      const body = guardedBody(types, values);
      connection.emit({ path: MANAGER_PATH, interface: sessionManager.name, member, signature: types.join(''), body });
    },
  };
}
