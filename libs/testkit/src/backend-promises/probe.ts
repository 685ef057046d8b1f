import {
  userText,
  type Backend,
  type BackendError,
  type Message,
  type ModelRequest,
  type StreamEvent,
  type ToolCall,
  type Usage,
} from '#model';

/** A backend whose model `conformance` plays the given script, and which gives up after about a second of silence. */
export interface BackendFixture {
  readonly backend: Backend;
  /** Answers that the other side still has under way. */
  readonly active?: () => number;
  close(): Promise<void>;
}

export interface Reply {
  readonly events: readonly StreamEvent[];
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: Usage | undefined;
  readonly stop: string | undefined;
}

/** A backend under test, and ways to ask it. */
export class Probe {
  /** `fixture` gives the one that was made before the tests. */
  constructor(private readonly fixture: () => BackendFixture) {}

  get backend(): Backend {
    return this.fixture().backend;
  }

  async reply(...messages: readonly Message[]): Promise<Reply> {
    return await collect(this.backend.stream(requestOf(messages), never()));
  }

  async failing(prompt: string): Promise<BackendError> {
    return await failure(this.backend.stream(requestOf([userText(prompt)]), never()));
  }

  /** Resolves when the other side has no answer under way; throws after 5 s. */
  async quiet(): Promise<void> {
    await until(() => (this.fixture().active?.() ?? 0) === 0);
  }
}

export function never(): AbortSignal {
  return new AbortController().signal;
}

export function requestOf(messages: readonly Message[]): ModelRequest {
  const shell = { name: 'shell', description: 'runs a command', parameters: { type: 'object', properties: { cmd: { type: 'string' } } } };
  return { model: 'conformance', system: 'You are a test.', messages, tools: [shell], params: {} };
}

async function collect(stream: AsyncIterable<StreamEvent>): Promise<Reply> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return {
    events,
    text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    calls: events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : [])),
    usage: events.find((event) => event.type === 'usage')?.usage,
    stop: events.find((event) => event.type === 'done')?.stop,
  };
}

/** The error that a stream ends with. */
export async function failure(stream: AsyncIterable<StreamEvent>): Promise<BackendError> {
  const ended = await collect(stream).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (ended === undefined) throw new Error('the stream ended well');
  return ended as BackendError; // what else it may be is for the assertions to say
}

export async function* recording(stream: AsyncIterable<StreamEvent>, seen: StreamEvent[]): AsyncGenerator<StreamEvent> {
  for await (const event of stream) {
    seen.push(event);
    yield event;
  }
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('still open after 5 s');
    await new Promise((done) => setTimeout(done, 5));
  }
}
