import type { AgentState } from '#model';
import { ValueCell } from '#virtfs';
import type { AgentNews } from './agent-news.js';
import { type Emit, emitBlock } from './emit.js';
import type { Transcript } from './transcript.js';

/** What goes with a turn, from its start to its end. */
export interface TurnCompanions {
  started(): void;
  stopped(): void;
}

/** The state of an agent with what it does just now: each change of either is told wherever somebody may wait for it. */
export class AgentCourse {
  readonly state = new ValueCell<AgentState>('idle');
  private doing = '';
  private suspended = false;
  private afterKill: () => void = () => undefined;

  constructor(
    private readonly transcript: Transcript,
    private readonly emit: Emit,
    private readonly news: AgentNews,
    private readonly companions: TurnCompanions,
  ) {}

  /** Empty: nothing in particular. */
  get action(): string {
    return this.doing;
  }

  /** Another process is to go on with the agent: its end here is told to nobody. */
  get isSuspended(): boolean {
    return this.suspended;
  }

  suspend(): void {
    this.suspended = true;
  }

  /** Called once the agent has been killed; never for one that is suspended. */
  whenKilled(hear: () => void): void {
    this.afterKill = hear;
  }

  act(action: string): void {
    this.doing = action;
    if (action !== '') this.news.state(this.state.value, action);
  }

  /** The transcript is held before the state says `running` and released after it says something else: a reader that acts on the state finds the logs so. */
  enter(state: AgentState): void {
    const before = this.state.value;
    if (state === before) return;
    if (state === 'running') {
      this.transcript.hold();
      this.companions.started();
    }
    this.tell(state);
    if (before === 'running') {
      this.companions.stopped();
      this.transcript.release();
    }
    if (state === 'killed' && !this.suspended) this.afterKill();
  }

  private tell(state: AgentState): void {
    const isTold = !this.suspended || state !== 'killed';
    if (isTold) emitBlock(this.emit, 'state', `${state}\n`);
    if (state === 'killed') this.state.finish(state);
    else this.state.set(state);
    if (isTold) this.news.state(state, state === 'running' ? this.doing : '');
  }
}
