import type { Environment, Log, Paths } from '#config';
import type { SessionStore } from '#store';
import type { ToolclientOptions } from '#toolclient';

/** What the server is built from; everything else comes out of the container. */
export interface OlliesrvOptions {
  readonly paths: Paths;
  readonly environment: Environment;
  /** Working directory of sessions that name none. */
  readonly cwd: string;
  readonly log: Log;
  /** Where sessions are kept. Absent: nowhere, and they end with the server. */
  readonly store?: SessionStore;
  /** See ToolclientOptions. */
  readonly toolsrv?: NonNullable<ToolclientOptions['command']>;
}
