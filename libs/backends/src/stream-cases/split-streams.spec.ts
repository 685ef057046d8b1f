import { Readable } from 'node:stream';
import fc from 'fast-check';
import { BackendError, type JsonObject, type StreamEvent } from '#model';
import { Exchange } from '../wire/exchange.js';
import { HttpResponse } from '../wire/http-response.js';
import { objectField, textField } from '../wire/json-fields.js';
import { readAnswer } from '../wire/read-answer.js';
import { SseFraming } from '../wire/sse-framing.js';
import { casesIn, directoryOfCases, isListing, request, type Case } from './cases.js';
import { eventFacts, failureFacts } from '../answer-facts.js';
import { PROVIDERS, withoutCases } from './providers.js';

const directory = directoryOfCases(process.env.OLLIE_CASES);
/** Those whose streams end by themselves: what a body amounts to does not depend on when it comes. */
const cases = (directory === undefined ? [] : casesIn(directory)).filter(
  ({ provider, spec }) => provider in PROVIDERS && spec.status === 200 && spec.end === 'close' && !isListing(spec),
);

async function read(one: Case, pieces: readonly Uint8Array[]): Promise<JsonObject> {
  const events: StreamEvent[] = [];
  const dialect = PROVIDERS[one.provider]?.dialect;
  if (!dialect) throw new Error(`nobody reads ${one.provider}`);
  const decoder = dialect.decoder(request, {});
  const framing = (await dialect.framing?.()) ?? new SseFraming(one.provider);
  const exchange = new Exchange({ idleMs: 10_000, progressMs: 10_000 }, new AbortController().signal);
  const sink = { push: (values: Iterable<StreamEvent>): void => void events.push(...values), whenStopped: () => undefined };
  const response = new HttpResponse(Readable.from(pieces), { headers: headersOf(one) });
  try {
    await readAnswer(response, { backend: one.provider, framing, decoder, exchange, sink });
    sink.push(decoder.end());
    return eventFacts(events);
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    return { ...eventFacts(events), ...failureFacts(error) };
  } finally {
    exchange.close();
  }
}

function headersOf({ spec }: Case): Record<string, string> {
  return { 'content-type': textField(objectField(spec, 'headers'), 'content-type') ?? '' };
}

/** Ids that the server left out are drawn by lot. */
function withoutDrawnIds(facts: JsonObject): string {
  return JSON.stringify(facts).replaceAll(/call_[0-9a-f]{24}/g, 'call_');
}

const describeCases = directory === undefined ? describe.skip : describe;
describeCases(directory === undefined ? 'not run: no shared cases' : 'wherever a stream is cut it amounts to the same', () => {
  it('there are streams of each provider', () => {
    expect(withoutCases(cases)).toEqual([]);
  });

  if (cases.length > 0)
    it.each(cases.map((one) => [one.id, one] as const))('%s', async (_id, one) => {
      const whole = withoutDrawnIds(await read(one, [one.body]));
      const cuts = fc.uniqueArray(fc.integer({ min: 0, max: one.body.length }), { maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(cuts, async (places) => {
          const ends = [0, ...places, one.body.length].toSorted((a, b) => a - b);
          const pieces = ends.slice(1).map((end, at) => one.body.subarray(ends[at], end));
          expect(
            withoutDrawnIds(
              await read(
                one,
                pieces.filter(({ length }) => length > 0),
              ),
            ),
          ).toBe(whole);
        }),
        { numRuns: 30 },
      );
      const bytes = Array.from(one.body, (_byte, at) => one.body.subarray(at, at + 1));
      expect(withoutDrawnIds(await read(one, bytes))).toBe(whole);
    });
});
