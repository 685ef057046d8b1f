import type { Client } from '#ninep';
import type { FakeAnswer } from '#testkit';
import { answerOf, ServedOlliesrv, textOf } from './served-olliesrv.js';

/** Where the agent of `servedAgent` is. */
export const AGENT = 'session/s/agent/coding';

/** An agent of a served olliesrv, as one connection sees it, from `start` to the end of the test. To be called in a `describe`. */
export function servedAgent() {
  let made: { readonly served: ServedOlliesrv; readonly client: Client } | undefined;
  const there = () => made ?? raise();
  afterEach(() => there().served.close());

  return {
    get served() {
      return there().served;
    },
    get client() {
      return there().client;
    },
    /** The answers that its model gives, one after the other. */
    start: async (...answers: readonly FakeAnswer[]): Promise<void> => {
      made = await ServedOlliesrv.withAgents(answers);
    },
    read: (file: string): Promise<string> => textOf(there().client, `${AGENT}/${file}`),
    prompt: (text: string): Promise<void> => there().client.writeAll(`${AGENT}/prompt`, text),
    ctl: (line: string): Promise<string> => answerOf(there().client, `${AGENT}/ctl`, `${line}\n`),
  };
}

function raise(): never {
  throw new Error('the agent is not started');
}
