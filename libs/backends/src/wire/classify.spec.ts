import type { JsonValue } from '#model';
import { classify } from './classify.js';

const error = (message: string, more: Readonly<Record<string, JsonValue>> = {}): JsonValue => ({ error: { message, ...more } });

function kindOf(status: number | undefined, body: JsonValue): string {
  const { name, failure } = classify({ backend: 'b', body, secret: undefined, ...(status === undefined ? {} : { status }) });
  return `${name} ${failure.kind}`;
}

describe('refusals become typed errors:', () => {
  it.each<[number | undefined, JsonValue, string]>([
    [429, error('slow down'), 'RateLimitError rate_limit'],
    [429, error('You exceeded your current quota', { code: 'insufficient_quota' }), 'RateLimitError quota'],
    [402, error('Insufficient credits'), 'RateLimitError quota'],
    [401, error('no'), 'AuthError auth'],
    [403, error('no'), 'AuthError auth'],
    [403, error('input was flagged by moderation'), 'RequestError request'],
    [400, error('prompt is too long: 210000 tokens > 200000 maximum'), 'ContextOverflowError context'],
    [400, error('x', { code: 'context_length_exceeded' }), 'ContextOverflowError context'],
    [413, '', 'ContextOverflowError context'],
    [500, error('the prompt is too long'), 'ContextOverflowError context'],
    [400, error('registry.ollama.ai/library/tiny does not support tools'), 'ToolUnsupportedError tools'],
    [400, error('Function calling is not enabled for models/tiny'), 'ToolUnsupportedError tools'],
    [400, error('To use function tools, use /v1/responses'), 'RequestError use_responses'],
    [400, error('The encrypted content for item rs_1 …', { code: 'invalid_encrypted_content' }), 'RequestError replay'],
    [400, error('The encrypted content gAAA... could not be verified.'), 'RequestError replay'],
    [400, error('messages.1.content.0: Invalid `signature` in `thinking` block'), 'RequestError replay'],
    [400, error('`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.'), 'RequestError replay'],
    [400, error('Thought signature is not valid.'), 'RequestError replay'],
    [400, { message: 'no', reason: 'THINKING_SIGNATURE_INVALID' }, 'RequestError replay'],
    [400, error('bad value'), 'RequestError request'],
    [404, error('no such model'), 'RequestError not_found'],
    [408, error('timeout'), 'TransientError server'],
    [500, error('oops'), 'TransientError server'],
    [503, error('model is overloaded'), 'TransientError overloaded'],
    [529, error('Overloaded'), 'TransientError overloaded'],
    [502, '<html><head><title>502</title></head><body>Bad <b>Gateway</b></body></html>', 'TransientError server'],
    [undefined, error('dead', { code: 502 }), 'TransientError server'],
    [undefined, error('slow', { code: 429 }), 'RateLimitError rate_limit'],
    [undefined, error('slow', { type: 'rate_limit_error' }), 'RateLimitError rate_limit'],
    [undefined, error('bad', { type: 'invalid_request_error' }), 'RequestError request'],
    [undefined, error('bad', { code: '400' }), 'RequestError request'],
    [undefined, error('what'), 'TransientError server'],
    [400, { message: 'Input is too long.', reason: 'CONTENT_LENGTH_EXCEEDS_THRESHOLD' }, 'ContextOverflowError context'],
    [undefined, { __type: 'validationException', message: 'no', reason: 'PROMPT_TOO_LONG' }, 'ContextOverflowError context'],
    [undefined, { __type: 'validationException', message: 'no', reason: 'INVALID_MODEL_ID' }, 'RequestError request'],
    [
      undefined,
      { __type: 'com.amazon#ThrottlingException', message: 'slow', reason: 'INSUFFICIENT_MODEL_CAPACITY' },
      'RateLimitError rate_limit',
    ],
    [undefined, { __type: 'throttlingException', message: 'enough', reason: 'MONTHLY_REQUEST_COUNT' }, 'RateLimitError quota'],
    [429, { __type: 'throttlingException', message: 'enough', reason: 'DAILY_REQUEST_COUNT' }, 'RateLimitError quota'],
    [400, { __type: 'com.amazon#ThrottlingException', message: 'slow' }, 'RateLimitError rate_limit'],
    [400, { __type: 'ServiceQuotaExceededException', message: 'enough' }, 'RateLimitError quota'],
    [400, { __type: 'AccessDeniedException', message: 'no' }, 'AuthError auth'],
    [400, { __type: 'ValidationException', message: 'no' }, 'RequestError request'],
    [400, error('Your credit balance is too low to access the Anthropic API.', { type: 'invalid_request_error' }), 'RateLimitError quota'],
    [400, error('You have reached your specified API usage limits.', { type: 'invalid_request_error' }), 'RateLimitError quota'],
    [429, error('You have reached your specified API usage limits.', { type: 'rate_limit_error' }), 'RateLimitError quota'],
    [429, error('You exceeded your current quota, see billing. Please retry in 12.5s.'), 'RateLimitError rate_limit'],
    [429, error('You exceeded your current quota. Please retry in 12.5s.', { code: 'insufficient_quota' }), 'RateLimitError quota'],
    [undefined, error('x', { status: 'RESOURCE_EXHAUSTED' }), 'RateLimitError rate_limit'],
    [undefined, error('x', { status: 'INVALID_ARGUMENT' }), 'RequestError request'],
    [undefined, error('x', { status: 'PERMISSION_DENIED' }), 'AuthError auth'],
    [undefined, error('x', { status: 'UNAVAILABLE' }), 'TransientError server'],
    [undefined, { __type: 'ServiceQuotaExceededException', message: 'enough' }, 'RateLimitError quota'],
    [undefined, { __type: 'AccessDeniedException', message: 'no' }, 'AuthError auth'],
    [undefined, { __type: 'internalServerException', message: 'oops' }, 'TransientError server'],
  ])('%p %j is %s', (status, body, expected) => {
    expect(kindOf(status, body)).toBe(expected);
  });

  it.each<[JsonValue, string]>([
    [error('as an object'), 'as an object'],
    [{ error: 'as text' }, 'as text'],
    [[{ error: { message: 'in a list' } }], 'in a list'],
    [{ message: 'at the top' }, 'at the top'],
    [{ detail: 'as detail' }, 'as detail'],
    [{ error: { error: { message: 'nested' } } }, 'nested'],
    [{ error: { message: { deep: 1 } } }, '{"deep":1}'],
    ['plain', 'plain'],
    ['<!DOCTYPE html><style>p{}</style><p>Bad\n Gateway</p>', 'Bad Gateway'],
  ])('the text of %j is found', (body, text) => {
    expect(classify({ backend: 'b', status: 400, body, secret: undefined }).message).toBe(`b: HTTP 400: ${text}`);
  });

  it('a message has at most 300 characters of the text, and not the secret, wherever it is cut', () => {
    const { message } = classify({ backend: 'b', status: 400, body: `${'x'.repeat(290)}SECRET-KEY-1`, secret: 'SECRET-KEY-1' });
    expect(message.length).toBeLessThan(330);
    expect(message).not.toContain('SECRET');
  });

  it('a very long text is read as far as it is looked at', () => {
    const started = performance.now();
    for (const piece of ['input token count ', '<script ', 'try again in 1m'])
      expect(kindOf(400, `<html>${piece.repeat(200_000)}`)).toBe('RequestError request');
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('a secret is not shown, however the text around it is cut', () => {
    const secret = 'SECRET-KEY-1';
    for (let before = 4_080; before < 4_100; before += 1)
      expect(classify({ backend: 'b', status: 400, body: `${' '.repeat(before)}${secret}`, secret }).message).not.toMatch(/SEC/);
  });

  const RETRY = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '45.8s' };
  const quotaFailure = (quotaId: string): JsonValue => ({
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [{ quotaId }],
  });
  const info = (reason: string, metadata: JsonValue = {}): JsonValue => ({
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    metadata,
  });
  const EXCEEDED = 'You exceeded your current quota, please check your plan and billing details.';

  it.each<[string, number, string, JsonValue, string, number | undefined]>([
    ['a wait', 429, EXCEEDED, [RETRY], 'RateLimitError rate_limit', 45_800],
    ['a minute that is used up', 429, EXCEEDED, [quotaFailure('RequestsPerMinutePerProject'), RETRY], 'RateLimitError rate_limit', 45_800],
    ['a day that is used up', 429, EXCEEDED, [quotaFailure('RequestsPerDayPerProjectPerModel'), RETRY], 'RateLimitError quota', undefined],
    ['the same by its name', 429, 'x', [info('RATE_LIMIT_EXCEEDED', { quota_limit: 'RequestsPerDay' })], 'RateLimitError quota', undefined],
    ['when it is reset', 429, 'x', [info('RATE_LIMIT_EXCEEDED', { quotaResetDelay: '373.801628ms' })], 'RateLimitError rate_limit', 374],
    ['a wait in the text', 429, 'Quota exceeded. Please retry in 36.4s.', [], 'RateLimitError rate_limit', 36_400],
    ['no wait at all', 429, EXCEEDED, [{ ...RETRY, retryDelay: '0s' }], 'RateLimitError quota', undefined],
    ['a server that is busy', 503, 'busy', [RETRY], 'TransientError server', 45_800],
    ['a key that is none', 400, 'API key not valid. Please pass a valid API key.', [info('API_KEY_INVALID')], 'AuthError auth', undefined],
    ['a key that is none, by its reason', 400, 'no', [info('API_KEY_INVALID')], 'AuthError auth', undefined],
    ['another reason', 400, 'no', [info('OTHER')], 'RequestError request', undefined],
  ])('details of Google tell of %s', (_what, status, message, details, expected, wait) => {
    for (const body of [error(message, { code: status, details }), [error(message, { code: status, details })]]) {
      const { name, failure } = classify({ backend: 'b', status, body, secret: undefined });
      expect([`${name} ${failure.kind}`, failure.retryAfterMs]).toEqual([expected, wait]);
    }
  });

  it('an error of Amazon may be named in a header', () => {
    const headers = new Headers({ 'x-amzn-errortype': 'ThrottlingException' });
    expect(classify({ backend: 'b', status: 400, headers, body: { message: 'slow' }, secret: undefined }).name).toBe('RateLimitError');
  });

  it('what is under way and not yet paid is a matter of waiting', () => {
    const headers = new Headers({ 'retry-after': '5' });
    const { name, retryable, failure } = classify({ backend: 'b', status: 402, headers, body: error('in flight'), secret: undefined });
    expect([name, retryable, failure.retryAfterMs]).toEqual(['RateLimitError', true, 5_000]);
  });

  it.each([429, 500, 529])('%d is not sent again where the provider says that it is of no use', (status) => {
    const retryable = (headers: Headers): boolean => classify({ backend: 'b', status, headers, body: '', secret: undefined }).retryable;
    expect(retryable(new Headers({ 'x-should-retry': 'false' }))).toBe(false);
    expect(retryable(new Headers({ 'x-should-retry': 'true' }))).toBe(true);
  });

  it('the wait comes with what may be sent again, and only there', () => {
    const headers = new Headers({ 'retry-after': '3' });
    expect(classify({ backend: 'b', status: 503, headers, body: '', secret: undefined }).failure.retryAfterMs).toBe(3000);
    expect(classify({ backend: 'b', status: 400, headers, body: '', secret: undefined }).failure.retryAfterMs).toBeUndefined();
  });
});
