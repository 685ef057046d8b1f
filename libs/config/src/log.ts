import { valueOf } from './environment.js';
import { FileSink, StderrSink, type LogSink } from './log-sink.js';
import { visible } from './visible.js';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];
export type LogThreshold = Level | 'off';

/** One line per call: time, level, tag, text with control characters made visible. No call throws. */
export interface Log {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
  /** Resolves when everything is written. */
  flush(): Promise<void>;
}

/** A log on stderr, and in the file that OLLIE_<TAG>_LOG or OLLIE_LOG names. */
export function createLog(tag: string, threshold: LogThreshold): Log {
  const file = valueOf(process.env, `OLLIE_${tag.toUpperCase().replace(/\W/g, '_')}_LOG`) ?? valueOf(process.env, 'OLLIE_LOG');
  return logTo(file === undefined ? [new StderrSink()] : [new StderrSink(), new FileSink(file)], tag, threshold);
}

/** A log on sinks of the caller's choice. */
export function logTo(sinks: readonly LogSink[], tag: string, threshold: LogThreshold): Log {
  const from = threshold === 'off' ? LEVELS.length : LEVELS.indexOf(threshold);
  const at = (level: Level) => (text: string) => {
    if (LEVELS.indexOf(level) < from) return;
    const line = `${new Date().toISOString()} ${level} ${tag}: ${visible(text)}\n`;
    for (const sink of sinks) sink.write(line);
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    flush: async () => {
      await Promise.all(sinks.map((sink) => sink.flush()));
    },
  };
}

export const silentLog: Log = logTo([], '', 'off');
