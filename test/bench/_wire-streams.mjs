// Long answers as providers send them: a head, one event for each word, a tail.

const json = (value) => JSON.stringify(value);
const data = (value, end = '\n\n') => `data: ${json(value)}${end}`;
const named = (value) => `event: ${value.type}\n${data(value)}`;

const chunk = (delta, finish = null, more = {}) => ({
  id: 'chatcmpl-9zQ7', object: 'chat.completion.chunk', created: 1_764_547_200, model: 'fx-model', system_fingerprint: 'fp_1',
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...more,
}); // prettier-ignore

const candidate = (text, more = {}) => ({
  candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 3, totalTokenCount: 15 }, modelVersion: 'fx-model', responseId: 'r1',
}); // prettier-ignore

const item = { id: 'msg_1', type: 'message', status: 'in_progress', role: 'assistant', content: [] };

/** By provider, in the names of the shared wire cases. */
const FORMS = {
  openai: {
    head: data(chunk({ role: 'assistant', content: '' })),
    word: (text) => data(chunk({ content: text })),
    tail: `${data(chunk({}, 'stop'))}data: [DONE]\n\n`,
  },
  'openai-responses': {
    head: [
      { type: 'response.created', sequence_number: 0, response: { id: 'resp_1', status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item },
    ].map(named).join(''), // prettier-ignore
    word: (delta, n) =>
      named({
        type: 'response.output_text.delta',
        sequence_number: n,
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        delta,
        logprobs: [],
      }),
    tail: named({ type: 'response.completed', sequence_number: 9, response: { id: 'resp_1', status: 'completed', output: [] } }),
  },
  anthropic: {
    head: [
      { type: 'message_start', message: { id: 'msg_1', role: 'assistant', content: [], usage: { input_tokens: 12, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ].map(named).join(''), // prettier-ignore
    word: (text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    tail: [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 99 } },
      { type: 'message_stop' },
    ].map(named).join(''), // prettier-ignore
  },
  gemini: {
    head: '',
    word: (text) => data(candidate(text), '\r\n\r\n'),
    tail: data(candidate('', { finishReason: 'STOP' }), '\r\n\r\n'),
  },
  ollama: {
    lines: true,
    head: '',
    word: (content) =>
      `${json({ model: 'm', created_at: '2026-12-01T00:00:00.1Z', message: { role: 'assistant', content }, done: false })}\n`,
    tail: `${json({ model: 'm', created_at: '2026-12-01T00:00:00.1Z', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: 9 })}\n`,
  },
};

export const knownProviders = Object.keys(FORMS);

/** A stream of at least that many bytes, in pieces as a socket brings them; `words` are its events with text. */
export function longStream(provider, bytes, pieceBytes) {
  const { head, word, tail, lines = false } = FORMS[provider];
  const parts = [head];
  let [length, words, characters] = [head.length, 0, 0];
  for (; length < bytes; words += 1) {
    const text = ` word${words % 1000}`;
    const part = word(text, words);
    parts.push(part);
    length += part.length;
    characters += text.length;
  }
  const whole = Buffer.from(parts.join('') + tail);
  const pieces = [];
  for (let at = 0; at < whole.length; at += pieceBytes) pieces.push(whole.subarray(at, at + pieceBytes));
  return { pieces, words, characters, lines };
}
