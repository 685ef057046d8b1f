import type { JsonObject } from '#model';

export const LONG = 'all work and no play makes a dull script, '.repeat(8);
export const WORLD = 'Zoë 北京 🌍👩‍🔧 — "quoted" \\ back\nnew line\ttab';

const say = (prompt: string, more: JsonObject): JsonObject => ({ when: { lastUser: `/^${prompt}$/` }, ...more });
const fail = (prompt: string, status: number, message: string, more: JsonObject = {}): JsonObject =>
  say(prompt, { fail: { times: 1_000_000, status, body: { error: { message, type: 'x', code: null } }, ...more } });

/** What the model of every backend says, by the user's last words. */
export const CONFORMANCE: JsonObject = {
  order: 'any',
  contextLength: 100_000,
  steps: [
    { when: { lastTool: { name: 'shell' } }, say: 'it said {{tool}}' },
    say('long', { say: LONG }),
    say('world', { say: WORLD }),
    say('think', { think: 'hm, let me see', say: 'I see' }),
    say('call', { calls: [{ tool: 'shell', args: { cmd: 'echo "ä\\n"' } }] }),
    say('three', { calls: [{ tool: 'shell', args: { n: 1 } }, { tool: 'shell', args: { n: 2 } }, { tool: 'shell' }] }),
    say('broken', { calls: [{ tool: 'shell', raw: '{"cmd": ls' }] }),
    say('length', { say: 'cut sh', calls: [{ tool: 'shell', args: { cmd: 'rm' } }], stop: 'length' }),
    say('usage.*', { say: 'counted' }),
    say('echo (.*)', { say: '{{user.1}}' }),
    say('slow', { say: 'late', stream: { delayMs: 60_000 } }),
    say('drip', { say: LONG, stream: { chunk: 4, delayMs: 500 } }), // lasts longer than any test waits
    say('flaky', { say: 'now it works', fail: { times: 1, status: 503 } }),
    say('cut', { say: 'half of the answer', calls: [{ tool: 'shell' }], fail: { times: 1_000_000, cutAfter: 18 } }),
    say('stall', { say: 'wait for it', fail: { times: 1_000_000, stallAfter: 12 } }),
    fail('rate', 429, 'slow down', { headers: { 'retry-after': '7' } }),
    fail('quota', 429, 'You exceeded your current quota'),
    fail('server', 500, 'oops'),
    fail('overloaded', 529, 'Overloaded'),
    fail('auth', 401, 'bad key'),
    fail('overflow', 400, "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens."),
    fail('tools', 400, 'tiny does not support tools'),
    fail('bad', 400, 'temperature is out of range'),
  ],
};
