import type { LoggerService } from '@nestjs/common';
import { type Log, messageOf } from '#config';

/** Nest's own words go where ours go; what it says about its start is for debugging. */
export function nestLog(log: Log): LoggerService {
  return {
    log: (message) => log.debug(messageOf(message)),
    warn: (message) => log.warn(messageOf(message)),
    error: (message) => log.error(messageOf(message)),
  };
}
