import { overflowIn } from './overflow.js';

describe('texts about a full context window', () => {
  it.each<[string, number | undefined]>([
    ["This model's maximum context length is 128000 tokens. However, your messages resulted in 130112 tokens.", 128_000],
    ['prompt is too long: 210012 tokens > 200000 maximum', 200_000],
    ['input length and `max_tokens` exceed context limit: 180000 + 32000 > 200000, decrease input length', 200_000],
    ['request (33056 tokens) exceeds the available context size (32768 tokens), try increasing it', 32_768],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
    ['Unable to submit request because the input token count is 1200 but model only supports up to 1000.', 1_000],
    ["This model's maximum prompt length is 131072 but the request contains 140000 tokens", 131_072],
    ['prompt token count of 70000 exceeds the limit of 64000', 64_000],
    ['Please reduce the length of the messages or completion.', undefined],
    ['Trying to keep the first 9000 tokens when context the overflows. greater than the context length', undefined],
    ['Input is too long for requested model.', undefined],
    ['Your request exceeded model token limit: 8192', 8_192],
    ['The number of tokens to keep is greater than the context length (n_keep: 5000>= n_ctx: 4096).', 4_096],
    ['the prompt is longer than the context length currently available to the model; shorten the prompt', undefined],
    ['the input length exceeds the context length', undefined],
    ['validationException CONTENT_LENGTH_EXCEEDS_THRESHOLD Input is too long.', undefined],
    ['Range of input length should be [1, 6000]', 6_000],
  ])('%s', (text, limit) => {
    expect(overflowIn(text)).toEqual(limit === undefined ? {} : { limitTokens: limit });
  });

  it.each(['Rate limit: too many requests, reduce the length of the messages', 'temperature is out of range', ''])('not: %s', (text) => {
    expect(overflowIn(text)).toBeUndefined();
  });
});
