import { IllegalInputError, InterruptedError, PartnerError } from '#model';
import type { Prompt } from './prompt-queue.js';
import type { TurnOutcome } from './turn-input.js';
import type { TurnRunner } from './turn-runner.js';

/**
 * Runs one prompt to its end and gives the last text of the model. An abort takes the prompt back, or
 * interrupts its turn and no other, and rejects with InterruptedError once that has ended; any other end
 * without a reply is a PartnerError.
 */
export async function runPrompt(runner: TurnRunner, text: string, signal: AbortSignal): Promise<string> {
  if (text.trim() === '') throw new IllegalInputError('argument', 'empty prompt');
  if (signal.aborted) throw new InterruptedError();
  const outcome = await new Promise<TurnOutcome>((resolve) => {
    const cancel = () => runner.cancel(prompt);
    const settle = (ended: TurnOutcome) => {
      signal.removeEventListener('abort', cancel);
      resolve(ended);
    };
    const prompt: Prompt = { text, settle };
    signal.addEventListener('abort', cancel, { once: true });
    runner.submit(prompt);
  });
  return reply(outcome, signal);
}

function reply(outcome: TurnOutcome, signal: AbortSignal): string {
  switch (outcome.end) {
    case 'done':
      return outcome.text;
    case 'failed':
      throw new PartnerError(`subagent: ${outcome.reason}`);
    case 'interrupted':
      if (signal.aborted) throw new InterruptedError();
      throw new PartnerError('subagent: interrupted');
  }
}
