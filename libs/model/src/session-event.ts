import type { JsonObject } from './json.js';

/** What a published event says besides its topic, by topic. Names are those of `events` (contract 2.1). */
export interface EventData {
  readonly 'session.created': { readonly name: string };
  readonly 'session.renamed': { readonly name: string; readonly was: string };
  readonly 'session.killed': { readonly name: string };
  readonly 'session.paused': { readonly name: string };
  readonly 'session.resumed': { readonly name: string };
  readonly 'session.saved': { readonly path: string };
  readonly 'agent.created': { readonly name: string; readonly profile: string };
  readonly 'agent.renamed': { readonly name: string; readonly was: string };
  readonly 'agent.killed': { readonly name: string };
  /** `action` as in `cfg`. */
  readonly 'agent.state': { readonly state: string; readonly action: string };
  /** `offset`: the length of `chat` in bytes. */
  readonly 'agent.chat': { readonly offset: number };
  /** Tokens of all turns so far, as in `stats`. */
  readonly 'agent.usage': {
    readonly totalInputTokens: number;
    readonly totalCachedInputTokens: number;
    readonly totalOutputTokens: number;
  };
  readonly 'agent.profile': { readonly profile: string };
  readonly 'tools.changed': { readonly tool: string; readonly loaded: boolean };
  readonly 'proc.started': { readonly pid: number; readonly tool: string; readonly cmd: string };
  /** `exit`: the exit code, or `lost`. */
  readonly 'proc.exited': { readonly pid: number; readonly exit: string };
  readonly 'bypass.pending': { readonly id: string; readonly kind: string };
  readonly 'bypass.resolved': { readonly id: string; readonly kind: string; readonly decision: string };
  readonly 'toolsrv.connected': { readonly pid: number };
  readonly 'toolsrv.lost': { readonly how: string };
  readonly error: { readonly text: string };
}

export type Topic = keyof EventData;

/** Ids of what an event is about; nothing for the server itself. */
export interface EventSubject {
  readonly session?: string;
  readonly agent?: string;
}

/** Port to the bus of a server. Publishing never throws and never waits. */
export abstract class EventSink {
  abstract publish<T extends Topic>(topic: T, subject: EventSubject, data: EventData[T] & JsonObject): void;
}
