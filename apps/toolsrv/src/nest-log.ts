import type { LoggerService } from '@nestjs/common';
import type { Log } from '#config';

/** Nest's own words go where ours go; what it says about its start is for debugging. */
export function nestLog(log: Log): LoggerService {
  return {
    log: (text: unknown) => log.debug(String(text)),
    warn: (text: unknown) => log.warn(String(text)),
    error: (text: unknown) => log.error(String(text)),
  };
}
