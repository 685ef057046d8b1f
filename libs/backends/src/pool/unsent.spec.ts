import { RateLimitError } from '#model';
import { FakeClock } from '#testkit';
import { Admission } from './admission.js';

const never = new AbortController().signal;
const limited = new RateLimitError('slow down', { backend: 'acme', kind: 'rate_limit', retryAfterMs: 20_000 });

it('who is refused without having asked anybody is told that', async () => {
  const admission = new Admission([undefined, undefined], FakeClock.stopped());
  for (const tried of [new Set<number>(), new Set([0])]) {
    const slot = await admission.admitted({ conversation: undefined, tried }, never);
    slot.failed(limited);
    slot.end();
  }
  const failure = async (...tried: readonly number[]): Promise<unknown> =>
    await admission.admitted({ conversation: undefined, tried: new Set(tried) }, never).catch((error: RateLimitError) => error.failure);
  expect(await failure()).toMatchObject({ retryAfterMs: 20_000, unsent: true });
  expect(await failure(0)).not.toHaveProperty('unsent');
});
