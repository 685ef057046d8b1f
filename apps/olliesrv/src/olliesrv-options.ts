import type { Environment, Log, Paths } from '#config';
import type { ToolclientOptions } from '#toolclient';

/** What the server is built from; everything else comes out of the container. */
export interface OlliesrvOptions {
  readonly paths: Paths;
  readonly environment: Environment;
  /** Working directory of sessions that name none. */
  readonly cwd: string;
  readonly log: Log;
  /** See ToolclientOptions. */
  readonly toolsrv?: NonNullable<ToolclientOptions['command']>;
}
