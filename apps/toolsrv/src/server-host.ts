import type { Environment, Log, Paths } from '#config';

/** What a server finds where it runs. */
export abstract class ServerHost {
  abstract readonly env: Environment;
  abstract readonly paths: Paths;
  abstract readonly log: Log;
  /** The Node that runs Node tools. */
  abstract readonly node: string;
  /** The native sandbox helper; undefined when it is not built. */
  abstract readonly helper: string | undefined;
}
