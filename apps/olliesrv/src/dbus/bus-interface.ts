import type { BusType } from './guarded-body.js';

/** Names of arguments and their types, in order. */
export type Arguments = Readonly<Record<string, BusType>>;
/** All that our methods take is text, which every client can send. */
export type Texts = Readonly<Record<string, 's'>>;

/** A method changes things: callers from inside a sandbox are refused. */
export interface BusMethod<S> {
  readonly takes: Texts;
  readonly gives: Arguments;
  /** The last argument may be left out. Introspection does not say so: D-Bus knows no such thing. */
  readonly isLastOptional: boolean;
  /** Resolves soon, whatever a model does. Throws errors with an errno, or BusCallError. */
  readonly run: (subject: S, texts: readonly string[]) => Promise<readonly unknown[]> | readonly unknown[];
}

/** An interface as a table: what introspection says, what dispatch does and what signals carry comes from here. */
export interface BusInterface<S, Signal extends string = string> {
  readonly name: string;
  readonly methods: Readonly<Record<string, BusMethod<S>>>;
  readonly signals: Readonly<Record<Signal, Arguments>>;
}

/** A row of the table: what it takes and gives, and what it does. */
export function method<S>(
  [takes, gives]: readonly [Texts, Arguments],
  run: BusMethod<S>['run'],
  { isLastOptional = false } = {},
): BusMethod<S> {
  return { takes, gives, isLastOptional, run };
}

/** The signatures that the method may be called with. */
export function signaturesOf<S>({ takes, isLastOptional }: BusMethod<S>): readonly string[] {
  const whole = Object.values(takes).join('');
  return isLastOptional ? [whole, whole.slice(0, -1)] : [whole];
}
