import type { Message } from '#model';

interface Progress<S> {
  readonly messages: readonly Message[];
  readonly state: S;
}

/**
 * Goes through conversations message by message. One that comes back with more at its end (the same message objects, which
 * nobody changes) is gone on with where the last look at it ended. `add` may change the state it is given and return it.
 */
export class ConversationFold<S> {
  private readonly known = new WeakMap<Message, Progress<S>>();

  constructor(
    private readonly begin: () => S,
    private readonly add: (state: S, message: Message, index: number) => S,
  ) {}

  /** The state after the last message. Throws what `add` throws. */
  after(messages: readonly Message[]): S {
    const [first] = messages;
    if (!first) return this.begin();
    const before = this.known.get(first);
    this.known.delete(first); // a state that `add` has changed and then thrown is not gone on with
    const state = before && beginsWith(messages, before.messages) ? this.go(before.state, messages, before.messages.length) : undefined;
    const whole = state ?? this.go(this.begin(), messages, 0);
    this.known.set(first, { messages: [...messages], state: whole });
    return whole;
  }

  private go(start: S, messages: readonly Message[], from: number): S {
    return messages.slice(from).reduce((state, message, index) => this.add(state, message, from + index), start);
  }
}

function beginsWith(messages: readonly Message[], start: readonly Message[]): boolean {
  return start.length <= messages.length && start.every((message, index) => message === messages[index]);
}
