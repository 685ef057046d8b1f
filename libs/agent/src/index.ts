// Signatures to build. Each concept goes to its own file; this file becomes hand-written re-exports.
import type { AgentState, BackendCatalog, Clock, ToolHost, ToolInfo } from '#model';
import type { ByteLog, Client, DataBuffer, ValueCell } from '#virtfs';
import type { Log, Paths } from '#config';

/** A profile as it is used: files read, keys checked, defaults filled in. */
export interface Profile {
  readonly name: string;
  readonly systemPrompt: string;
  readonly backend: string | undefined;
  readonly model: string | undefined;
  /** Tools that are loaded when the agent first needs its tool server. */
  readonly autoLoad: readonly string[];
  /** 0 = no limit. */
  readonly maxSteps: number;
}

/** Profiles of the agents directories; the packaged `default` always exists. Cached until `invalidate`. */
export declare class ProfileStore {
  constructor(paths: Paths, log: Log);
  names(): readonly string[];
  /** Throws NotFoundError; IllegalInputError naming file and key for a broken one. */
  get(name: string): Profile;
  invalidate(): void;
}

export interface AgentIdentity {
  readonly id: string;
  readonly sessionId: string;
  readonly name: string;
  readonly cwd: string;
  readonly parentId: string | undefined;
  /** 0 for an agent of a person, parent's + 1 for a child; the limit is 3. */
  readonly depth: number;
}

/** What an agent works with. `backend`, `model`, `maxSteps` override the profile when given. */
export interface AgentSetup {
  readonly profile: Profile;
  readonly backend: string | undefined;
  readonly model: string | undefined;
  readonly maxSteps: number | undefined;
}

export declare abstract class AgentPorts {
  abstract readonly backends: BackendCatalog;
  abstract readonly clock: Clock;
  abstract readonly log: Log;
}

export declare class Agent {
  constructor(identity: AgentIdentity, setup: AgentSetup, ports: AgentPorts, hands: ToolHost);
  readonly id: string;
  readonly identity: AgentIdentity;
  readonly name: string;
  readonly profileName: string;
  readonly cwd: string;
  /** Backend and model in use, empty when none is configured. */
  readonly backendName: string;
  readonly modelName: string;
  readonly state: ValueCell<AgentState>;
  readonly transcript: Transcript;
  /** At most 1 MiB. */
  readonly plan: DataBuffer;

  /** Queues a turn. Empty text does nothing. The state is `running` when this returns. With `from`, that change counts as seen for the client's session leader. */
  submit(text: string, from?: Client): void;
  /** Runs one prompt to its end and gives the last assistant text; rejects with PartnerError `subagent: ...` when the turn fails; an abort interrupts the turn. */
  run(text: string, signal: AbortSignal): Promise<string>;
  /** Interrupts the running turn and waits until it is idle; the queue is kept. `idle` when nothing ran. */
  stop(): Promise<'ok' | 'idle'>;
  /** Ends the agent: interrupts, closes its tool server connection, state `killed`, readers released. */
  kill(): Promise<void>;
  /** While held (session pause) no new turn starts. */
  hold(held: boolean): void;
  /** The loaded tools; starts the tool server if need be. */
  tools(signal: AbortSignal): Promise<readonly ToolInfo[]>;
  /** The `PID TOOL CMD` table of background processes; does not start a tool server. */
  processTable(signal: AbortSignal): Promise<string>;
  /** Text of `cfg`, `stats`, `log` (contract 2.8, 2.9, last 64 KiB of chat). */
  cfg(): string;
  stats(): string;
  log(): string;
}

export declare class Transcript {
  /** chat.raw and chat (contract 2.7). Both are held while a turn runs or waits in the queue. */
  readonly raw: ByteLog;
  readonly plain: ByteLog;
}
