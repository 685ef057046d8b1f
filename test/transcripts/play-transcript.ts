import type { NetConnectOpts } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ninep2000, ninep2000L } from '#ninep';
import { bytesOf, isExpected, wordsOf } from './message-values.js';
import type { Message, Step } from './parse-transcript.js';
import { Wire } from './wire.js';

/** A tag that transcripts leave alone. */
const PROBE_TAG = 65000;
const probe: Message = { type: 'Tflush', fields: { tag: PROBE_TAG, oldtag: PROBE_TAG } };

/** Plays steps against a server; throws with the line that did not come true. */
export class Player {
  readonly #wires = new Map<string, Wire>();

  constructor(
    private readonly server: { readonly connections: number },
    private readonly place: NetConnectOpts,
  ) {}

  /** Plays all; then nothing may be left to read on any connection that is open. */
  async play(steps: readonly Step[]): Promise<void> {
    try {
      for (let at = 0; at < steps.length;) at += await this.#group(steps.slice(at));
      for (const wire of this.#wires.keys()) await this.#quiet(wire);
    } finally {
      for (const wire of this.#wires.values()) wire.hangUp();
    }
  }

  /** Plays the steps that belong together: what is sent in one write, what is expected in any order. */
  async #group([first, ...rest]: readonly Step[]): Promise<number> {
    if (first === undefined) return 0;
    const joins = first.action === 'send' || first.action === 'expect';
    const end = joins ? rest.findIndex((step) => step.action !== first.action || step.wire !== first.wire) : 0;
    const group = [first, ...rest.slice(0, end === -1 ? rest.length : end)];
    try {
      await this.#act(first, group);
    } catch (error) {
      throw new Error(`line ${first.line}: ${first.text}\n${String(error)}`, { cause: error });
    }
    return group.length;
  }

  async #act(step: Step, group: readonly Step[]): Promise<void> {
    switch (step.action) {
      case 'send':
        return this.#send(
          step.wire,
          group.map(({ message }) => message),
        );
      case 'expect':
        return this.#expect(
          step.wire,
          group.map(({ message }) => message),
        );
      case 'expect-next':
        return this.#expect(step.wire, [step.message]);
      case 'hangup':
        return this.#hangUp(step.wire);
      case 'closed':
        return this.#closed(step.wire);
      case 'quiet':
        return this.#quiet(step.wire);
    }
  }

  async #wire(name: string): Promise<Wire> {
    const wire = this.#wires.get(name) ?? (await Wire.open(this.place));
    this.#wires.set(name, wire);
    return wire;
  }

  async #send(name: string, messages: readonly Message[]): Promise<void> {
    const wire = await this.#wire(name);
    wire.send(Buffer.concat(messages.map((message) => bytesOf(message, wire.dialect))));
    // Until it is answered, errors are told as in plain 9P2000.
    if (messages.some(({ type }) => type === 'Tversion')) wire.dialect = ninep2000;
  }

  async #expect(name: string, messages: readonly Message[]): Promise<void> {
    const wire = await this.#wire(name);
    const open = [...messages];
    while (open.length > 0) {
      const words = await this.#next(wire);
      if (words === undefined) throw new Error('the server hung up');
      const found = open.findIndex((message) => isExpected(message, words));
      if (found === -1) throw new Error(`got ${JSON.stringify(words)}`);
      open.splice(found, 1);
    }
  }

  /** The next message, in the dialect that is spoken now; an Rversion changes it. */
  async #next(wire: Wire): Promise<Message | undefined> {
    const frame = await wire.next();
    if (frame === undefined) return undefined;
    const words = wordsOf(frame, wire.dialect);
    if (words.type === 'Rversion') wire.dialect = words.fields['version'] === ninep2000L.version ? ninep2000L : ninep2000;
    return words;
  }

  /** Hangs up and waits until the server has closed all that belonged to the connection. */
  async #hangUp(name: string): Promise<void> {
    const before = this.server.connections;
    (await this.#wire(name)).hangUp();
    this.#wires.delete(name);
    while (this.server.connections === before) await sleep(1);
  }

  async #closed(name: string): Promise<void> {
    const words = await this.#next(await this.#wire(name));
    if (words !== undefined) throw new Error(`got ${JSON.stringify(words)}`);
    this.#wires.delete(name);
  }

  /** Everything that the server had to say was said: what it answers next is the answer to a probe. */
  async #quiet(name: string): Promise<void> {
    await this.#send(name, [probe]);
    const words = await this.#next(await this.#wire(name));
    if (words?.fields['tag'] !== PROBE_TAG) throw new Error(`connection ${name}: got ${JSON.stringify(words)} instead of silence`);
  }
}
