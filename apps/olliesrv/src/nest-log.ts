import type { LoggerService } from '@nestjs/common';
import { type Log, messageOf } from '#config';

/** What Nest itself has to say, in our log: its start-up talk as debug. */
export function nestLog(log: Log): LoggerService {
  return {
    log: (message) => log.debug(messageOf(message)),
    warn: (message) => log.warn(messageOf(message)),
    error: (message) => log.error(messageOf(message)),
  };
}
