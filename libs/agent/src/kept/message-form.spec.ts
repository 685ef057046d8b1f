import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#config';
import { type Message, parseJson } from '#model';
import { type BlobStore, SessionStore } from '#store';
import { keptMessage, messageOf } from './message-form.js';

describe('a message on disk', () => {
  let data: string;
  let blobs: BlobStore;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'ollie-message-'));
    ({ blobs } = new SessionStore(data, silentLog));
  });
  afterEach(() => rmSync(data, { recursive: true }));

  const call = { id: 'c', name: 'ls', arguments: { a: 1 }, rawArguments: '{"a": 1}' };
  const replay = { type: 'replay', provider: 'p', model: 'm', data: { signature: 'x' } } as const;
  const image = { type: 'image', mimeType: 'image/png', data: Buffer.from('pixels').toString('base64') } as const;
  const messages: readonly Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'hello' }] },
    { role: 'user', content: [{ type: 'text', text: 'a' }, image] },
    { role: 'assistant', content: [replay, { type: 'text', text: 'b' }], toolCalls: [call] },
    { role: 'assistant', content: [], toolCalls: [{ ...call, arguments: {}, rawArguments: '{"a', argumentsError: 'no JSON' }] },
    { role: 'assistant', content: [], toolCalls: [{ ...call, rawArguments: '' }] },
    { role: 'tool', toolCallId: 'c', toolName: 'ls', content: [{ type: 'text', text: 'x'.repeat(70_000) }], isError: true, tier: 'cold' },
    { role: 'tool', toolCallId: 'c', toolName: 'ls', content: [{ type: 'text', text: 'ok' }, image], isError: false },
  ];

  it.each(messages.map((message) => [message.role, message] as const))('of a %s comes back as it was', (_role, message) => {
    for (const store of [blobs, undefined]) {
      const text = JSON.stringify(keptMessage(message, store));
      expect(messageOf(parseJson(text), store)).toEqual(message);
    }
  });

  it('has the names that OpenAI gives them, and large parts elsewhere', () => {
    expect(messages.map((message) => keptMessage(message, blobs)).filter((_kept, index) => [0, 2, 6].includes(index))).toEqual([
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: [replay, { type: 'text', text: 'b' }],
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'ls', arguments: '{"a": 1}' } }],
      },
      {
        role: 'tool',
        tool_call_id: 'c',
        name: 'ls',
        content: [
          { type: 'text', text: 'ok' },
          { type: 'image', mimeType: 'image/png', blob: expect.stringMatching(/^[0-9a-f]{64}$/) },
        ],
        is_error: false,
      },
    ]);
  });

  it('says so where a part is no longer there', () => {
    const kept = keptMessage({ role: 'user', content: [image] }, blobs);
    expect(messageOf(kept, undefined)).toEqual({ role: 'user', content: [{ type: 'text', text: '[this part is no longer kept]' }] });
  });

  it.each([null, 'text', [], {}, { role: 'system', content: 'x' }])('is none: %j', (kept) => {
    expect(messageOf(kept, blobs)).toBeUndefined();
  });

  it('has a text of more than 64 KiB in a blob, and any other in itself', () => {
    const user = (length: number) => ({ role: 'user', content: [{ type: 'text', text: 'x'.repeat(length) }] }) as const;
    const forms = [65_536, 65_537].map((length) => keptMessage(user(length), blobs));
    expect(forms.map((form) => JSON.stringify(form).length > 1000)).toEqual([true, false]);
    expect(forms.map((form) => messageOf(form, blobs))).toEqual([user(65_536), user(65_537)]);
  });
});
