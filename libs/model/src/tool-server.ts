import type { BackgroundProcess } from './background-process.js';
import type { JsonObject } from './json.js';
import type { ProcessNumbers } from './process-numbers.js';
import type { CatalogEntry, ToolInfo, ToolResult } from './tool.js';

/** One call to run. `id` is the caller's own id of it; `cwd` is absolute. */
export interface ToolRequest {
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A row of a tool server's process list. `pid` is the server's own number, not the kernel's. */
export interface ToolProcessInfo {
  readonly pid: number;
  readonly state: 'running' | 'exited';
  readonly tool: string;
  readonly command: string;
}

/** What a running call has put out since the piece before. `pid` is the tool server's own number of its process. */
export interface OutputPiece {
  readonly pid: number;
  readonly bytes: Uint8Array;
}

/**
 * Port to the hands of one agent: an authenticated connection that is scoped to the agent.
 * Every method may reject with PartnerError when the connection is lost; nothing is run twice. The next
 * one connects anew, with the agent's tools loaded again.
 */
export abstract class ToolServer {
  /** The agent's loaded tools, sorted by name. */
  abstract loaded(signal: AbortSignal): Promise<readonly ToolInfo[]>;

  /** Grows with every load and unload; 0 = not known, refresh always. */
  abstract revision(signal: AbortSignal): Promise<number>;

  /** Makes a tool callable. Rejects with NotFoundError for a name the host does not have. */
  abstract load(tool: string, signal: AbortSignal): Promise<void>;

  abstract unload(tool: string, signal: AbortSignal): Promise<void>;

  /**
   * Runs a tool to its end. Expected failures resolve as results with `isError`. An abort ends the
   * whole process tree of the call and resolves only when that is asked for and acknowledged.
   */
  abstract call(request: ToolRequest, signal: AbortSignal): Promise<ToolResult>;

  /**
   * The output of the call with this id as it comes: at most ten pieces a second of at most 16 KiB each, in order, cut anywhere. None
   * before the call has run for 200 ms. Goes on until the signal aborts, and may reject then.
   */
  abstract follow(callId: string, signal: AbortSignal): AsyncIterable<OutputPiece>;

  /** Starts a tool that goes on by itself; a result is the refusal. Expected failures are results, as with `call`. */
  abstract start(request: ToolRequest, signal: AbortSignal): Promise<BackgroundProcess | ToolResult>;

  /** A process of this number on the tool server as it is now, whether or not there is one; later ones are another's. */
  abstract process(pid: number, signal: AbortSignal): Promise<BackgroundProcess>;

  /** The agent's background processes, by pid. */
  abstract processes(signal: AbortSignal): Promise<readonly ToolProcessInfo[]>;

  abstract close(): Promise<void>;
}

/** Port to the hands of one session: starts them on first use and hands out one connection an agent. */
export abstract class ToolHost {
  /** Somebody is about to connect: begins to start, and returns at once. What becomes of that is told to who connects. */
  abstract prepare(): void;

  abstract connect(agentId: string, signal: AbortSignal): Promise<ToolServer>;

  abstract close(): Promise<void>;
}

/** Port to what starts hands. */
export abstract class ToolHostFactory {
  /** The hands of a session, not started yet. */
  abstract forSession(sessionId: string, cwd: string, numbers?: ProcessNumbers): ToolHost;

  /** Every tool that this host offers, sorted by name. */
  abstract catalog(signal: AbortSignal): Promise<readonly CatalogEntry[]>;

  /** Drops what was cached about tools. */
  abstract invalidate(): void;

  /** Ends everything that was started. */
  abstract close(): Promise<void>;
}
