import type { EventSubject, JsonObject } from '#model';
import type { OlliesrvServices } from '../olliesrv-services.js';
import { type ChatPorts, ChatSignals } from './chat-signals.js';
import { sessionPath } from './object-path.js';
import type { ManagerSignal } from './session-manager.js';

/** Where signals go. */
export interface SignalOut {
  readonly backlogBytes: number;
  emit(member: ManagerSignal, values: readonly unknown[]): void;
}

/** What happens in the server, told as the signals of the session manager until `close`. Every change of state is told. */
export class SessionSignals {
  private readonly chat: ChatSignals;
  /** States that are not `idle`, by agent. */
  private readonly states = new Map<string, string>();
  private readonly subscriptions: readonly (() => void)[];

  constructor(
    private readonly out: SignalOut,
    private readonly ollie: Pick<OlliesrvServices, 'sessions' | 'events'>,
  ) {
    const { sessions, events } = ollie;
    const agents = sessions.all.flatMap((session) => session.agents.all);
    for (const agent of agents) this.remember(agent.id, agent.state.value);
    this.chat = new ChatSignals(this.chatPorts(), new Map(agents.map((agent) => [agent.id, agent.transcript.plain.length])));
    this.subscriptions = [
      events.subscribe('session.created', ({ subject }) => this.onSession(subject)),
      events.subscribe('agent.chat', ({ subject: { session = '', agent = '' } }) => this.chat.heard({ session, agent })),
      events.subscribe('agent.state', ({ subject, data }) => this.onState(subject, data)),
    ];
  }

  close(): void {
    for (const end of this.subscriptions) end();
    this.chat.close();
  }

  private onSession({ session = '' }: EventSubject): void {
    this.out.emit('SessionCreated', [session, sessionPath(session)]);
  }

  /** What was said before the change is told before it. */
  private onState({ session = '', agent = '' }: EventSubject, data: JsonObject): void {
    const [state, action] = [textAt(data, 'state'), textAt(data, 'action')];
    this.chat.flush(agent);
    this.out.emit('StateChanged', [session, agent, state, this.states.get(agent) ?? 'idle', action]);
    this.remember(agent, state);
    if (state === 'killed') this.chat.forget(agent);
  }

  private remember(agent: string, state: string): void {
    if (state === 'idle' || state === 'killed') this.states.delete(agent);
    else this.states.set(agent, state);
  }

  private chatPorts(): ChatPorts {
    const { out, ollie } = this;
    return {
      get backlogBytes() {
        return out.backlogBytes;
      },
      emit: ({ session, agent }, offset, chunk) => out.emit('ChatUpdated', [session, agent, BigInt(offset), chunk]),
      chatOf: ({ session, agent }) => ollie.sessions.find(session)?.agents.find(agent)?.transcript.plain,
    };
  }
}

function textAt(data: JsonObject, key: string): string {
  const value = data[key];
  return typeof value === 'string' ? value : '';
}
