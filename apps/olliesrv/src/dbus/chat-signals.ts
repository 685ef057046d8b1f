import type { ByteLog } from '#virtfs';
import { chatChunk, lastChunkStart } from './chat-chunk.js';

/** Shortest time from one chunk of an agent to its next. */
const PAUSE_MS = 40;
/** With more than this waiting for the bus, no chat is sent. */
const MAX_BACKLOG_BYTES = 8 * 1024 * 1024;
/** Who is further behind than this goes on at the end, so that what is shown is what happens. */
const MAX_LAG_BYTES = 1024 * 1024;

/** Ids of who speaks. */
export interface Speaker {
  readonly session: string;
  readonly agent: string;
}

/** Where chats come from and chunks go. */
export interface ChatPorts {
  /** Bytes that are sent and not yet taken. */
  readonly backlogBytes: number;
  emit(speaker: Speaker, offset: number, chunk: string): void;
  /** What an agent has said, which only grows; undefined for one that is not there. */
  chatOf(speaker: Speaker): ByteLog | undefined;
}

interface Telling {
  readonly speaker: Speaker;
  readonly chat: ByteLog;
  /** Up to here it has been told. */
  offset: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Tells what agents say in chunks: the first at once, then at most 25 a second for each, without gaps as long as the bus keeps up.
 * Nothing is kept for it but an offset: what is not sent yet is in the agent's log.
 */
export class ChatSignals {
  private readonly tellings = new Map<string, Telling>();

  /** `told`: how much of the chat of earlier agents is old already, by agent. */
  constructor(
    private readonly ports: ChatPorts,
    private readonly told: ReadonlyMap<string, number>,
  ) {}

  /** The agent has said more. */
  heard(speaker: Speaker): void {
    const telling = this.tellings.get(speaker.agent) ?? this.begin(speaker);
    if (telling && telling.timer === undefined) this.tell(telling);
  }

  /** One chunk at once, if there is one, before something that comes after it. */
  flush(agent: string): void {
    const telling = this.tellings.get(agent);
    if (telling) this.tell(telling);
  }

  forget(agent: string): void {
    clearTimeout(this.tellings.get(agent)?.timer);
    this.tellings.delete(agent);
  }

  close(): void {
    for (const agent of this.tellings.keys()) this.forget(agent);
  }

  private begin(speaker: Speaker): Telling | undefined {
    const chat = this.ports.chatOf(speaker);
    if (!chat) return undefined;
    const telling = { speaker, chat, offset: this.told.get(speaker.agent) ?? 0, timer: undefined };
    this.tellings.set(speaker.agent, telling);
    return telling;
  }

  private tell(telling: Telling): void {
    clearTimeout(telling.timer);
    telling.timer = undefined;
    if (telling.offset >= telling.chat.length) return;
    if (this.ports.backlogBytes <= MAX_BACKLOG_BYTES) this.tellChunk(telling);
    telling.timer = setTimeout(() => this.tell(telling), PAUSE_MS).unref();
  }

  private tellChunk(telling: Telling): void {
    const { chat, speaker } = telling;
    if (chat.length - telling.offset > MAX_LAG_BYTES) telling.offset = lastChunkStart(chat);
    const { bytes, text } = chatChunk(chat, telling.offset);
    this.ports.emit(speaker, telling.offset, text);
    telling.offset += bytes;
  }
}
