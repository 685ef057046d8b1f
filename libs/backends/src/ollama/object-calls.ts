import type { JsonObject, ToolCall } from '#model';
import { argumentTextIn } from '../wire/argument-text-in.js';
import { claimId } from '../wire/claim-id.js';
import { objectField, textField } from '../wire/json-fields.js';
import { readArguments } from '../wire/read-arguments.js';

/** Calls that come whole, mostly without an id, with their arguments as an object. */
export class ObjectCalls {
  private readonly calls: JsonObject[] = [];

  constructor(private readonly usedIds: ReadonlySet<string>) {}

  add(call: JsonObject): void {
    this.calls.push(call);
  }

  /** In the order in which they came, each with an id of its own; undefined when one has no name. */
  finish(): readonly ToolCall[] | undefined {
    const taken = new Set(this.usedIds);
    const calls = this.calls.map((call) => {
      const asked = objectField(call, 'function');
      const text = argumentTextIn(asked?.arguments);
      return { id: claimId(textField(call, 'id'), taken), name: textField(asked, 'name') ?? '', ...readArguments(text) };
    });
    return calls.some(({ name }) => name === '') ? undefined : calls;
  }
}
