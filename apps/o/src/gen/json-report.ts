import { eventFacts, failureFacts } from '#backends';
import type { JsonObject, StreamEvent } from '#model';
import type { AnswerReport, Outcome, Outputs } from './answer-report.js';

/** For programs: a line of JSON for each event, and a last one of what they amount to. */
export class JsonReport implements AnswerReport {
  constructor(private readonly outputs: Outputs) {}

  async event(event: StreamEvent): Promise<void> {
    await this.outputs.stdout.write(`${JSON.stringify(event)}\n`);
  }

  async end(outcome: Outcome): Promise<void> {
    await this.outputs.stdout.write(`${JSON.stringify(resultOf(outcome))}\n`);
  }
}

/** In the words of the shared wire cases. */
function resultOf({ events, failure, wallMs, socketClosedMs }: Outcome): JsonObject {
  return {
    ...eventFacts(events),
    ...(failure ? failureFacts(failure) : {}),
    wall_ms: wallMs,
    ...(socketClosedMs === undefined ? {} : { socket_closed_ms: socketClosedMs }),
  };
}
