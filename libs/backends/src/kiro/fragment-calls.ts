import type { JsonObject, ToolCall } from '#model';
import { argumentTextIn } from '../wire/argument-text-in.js';
import { claimId } from '../wire/claim-id.js';
import { textField } from '../wire/json-fields.js';
import { readArguments } from '../wire/read-arguments.js';

interface OpenCall {
  readonly id: string;
  name: string;
  text: string;
  isStopped: boolean;
}

/** Calls that are put together from fragments, each with the id of its call. */
export class FragmentCalls {
  private readonly calls = new Map<string, OpenCall>();
  private last: OpenCall | undefined;

  /** True when each call is there to its end. */
  get areWhole(): boolean {
    return [...this.calls.values()].every(({ isStopped }) => isStopped);
  }

  add(fragment: JsonObject): void {
    const call = this.callOf(textField(fragment, 'toolUseId'));
    call.name ||= textField(fragment, 'name') ?? '';
    call.text += argumentTextIn(fragment.input);
    if (fragment.stop === true) call.isStopped = true;
  }

  /** In the order of their first fragments, each with an id of its own; undefined when one has no name. */
  finish(usedIds: ReadonlySet<string>): readonly ToolCall[] | undefined {
    const taken = new Set(usedIds);
    const calls = [...this.calls.values()].map(({ id, name, text }) => ({ id: claimId(id, taken), name, ...readArguments(text) }));
    return calls.some(({ name }) => name === '') ? undefined : calls;
  }

  /** A fragment without an id belongs to the last call. */
  private callOf(id = this.last?.id ?? ''): OpenCall {
    const call = this.calls.get(id) ?? { id, name: '', text: '', isStopped: false };
    this.calls.set(id, call);
    this.last = call;
    return call;
  }
}
