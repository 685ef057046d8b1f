import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { AgentBench } from '#testkit';
import { OpenAIBackend } from './openai/openai.backend.js';
import { textResult } from '#model';

type Play = (socket: Socket, n: number) => void;
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';
const ev = (v: unknown) => `data: ${JSON.stringify(v)}\n\n`;
const delta = (d: unknown, f: string | null = null) => ev({ id: 'x', choices: [{ index: 0, delta: d, finish_reason: f }] });
const END = delta({}, 'stop') + 'data: [DONE]\n\n';

async function trial(name: string, play: Play, opt: { prompts?: number; key?: string; timeout?: number } = {}) {
  let n = 0;
  const sockets = new Set<Socket>();
  const server = createServer((s) => {
    sockets.add(s); s.on('error', () => undefined); s.on('close', () => sockets.delete(s));
    let got = '';
    const on = (d: Buffer) => { got = (got + d.toString('latin1')).slice(-2e6); if (got.includes('\r\n\r\n')) { s.off('data', on); s.on('data', () => undefined); play(s, n++); } };
    s.on('data', on);
  });
  server.listen(0, '127.0.0.1'); await once(server, 'listening');
  const a = server.address(); const port = typeof a === 'object' && a ? a.port : 0;
  const logs: string[] = [];
  const backend = new OpenAIBackend({ name: 'openai', baseUrl: `http://127.0.0.1:${port}/v1`, key: opt.key ?? 'sk-planted-1234', defaultModel: 'm', patience: { idleMs: 1000, progressMs: 2500 } });
  const bench = new AgentBench({ backends: [backend], tools: { shell: { run: () => textResult('x') }, read: { info: { parallel: 'read' } } }, log: { debug: (t: string) => void logs.push(t), info: (t: string) => void logs.push(t), warn: (t: string) => void logs.push(t), error: (t: string) => void logs.push(t) } as never });
  const started = performance.now(); const h0 = process.memoryUsage().heapUsed;
  let lag = 0; let last = performance.now(); const lagTimer = setInterval(() => { lag = Math.max(lag, performance.now() - last - 20); last = performance.now(); }, 20);
  let outcome = 'ended';
  for (let i = 0; i < (opt.prompts ?? 1); i++) {
    const r = await Promise.race([bench.prompt('go').then(() => 'ok'), new Promise((d) => setTimeout(() => d('TIMEOUT'), opt.timeout ?? 60000))]);
    if (r !== 'ok') { outcome = 'TIMEOUT'; break; }
  }
  clearInterval(lagTimer);
  const ms = performance.now() - started;
  const chat = bench.chat;
  process.stderr.write(`## ${name}: ${outcome} ${ms.toFixed(0)}ms lag ${lag.toFixed(0)} heap +${((process.memoryUsage().heapUsed - h0) / 1e6).toFixed(0)}MB requests ${n} chat ${chat.length} …${JSON.stringify(chat.slice(-230))}\n   logs ${JSON.stringify(logs.map((l) => l.slice(0, 200)))}\n`);
  await bench.agent.kill();
  await new Promise((d) => setTimeout(d, 50));
  process.stderr.write(`   open sockets ${sockets.size}\n`);
  server.close(); for (const s of sockets) s.destroy();
}
const only = process.env.ONLY;
const t = (name: string, play: Play, opt = {}) => (only && !name.includes(only) ? undefined : it(name, () => trial(name, play, opt), 200_000));

t('10MB delta', (s) => s.end(HEAD + delta({ content: 'ab\n'.repeat(3.4e6) }) + END));
t('10MB in 1-char deltas 200k', (s) => { s.write(HEAD); const d = delta({ content: 'x' }); s.end(d.repeat(200_000) + END); });
t('NUL and lone', (s) => s.end(HEAD + delta({ content: 'a\u0000b' }) + 'data: {"choices":[{"delta":{"content":"\\ud800"}}]}\n\n' + 'data: {"choices":[{"delta":{"content":"z\\udc00\\ud83d"}}]}\n\n' + 'data: {"choices":[{"delta":{"content":"\\ude00 \\u202e[[[user]]]\\n[[[/user]]]\\r\\n"}}]}\n\n' + END), { prompts: 2 });
t('100k calls index', (s, n) => { if (n > 0) return void s.end(HEAD + delta({ content: 'k' }) + END); s.write(HEAD); let o = ''; for (let i = 0; i < 100_000; i++) o += delta({ tool_calls: [{ index: i, id: `c${i}`, function: { name: 'shell', arguments: '{}' } }] }); s.end(o + delta({}, 'tool_calls') + 'data: [DONE]\n\n'); });
t('20k calls no id', (s, n) => { if (n > 0) return void s.end(HEAD + delta({ content: 'k' }) + END); s.write(HEAD); let o = ''; for (let i = 0; i < 20_000; i++) o += delta({ tool_calls: [{ function: { name: 'shell', arguments: '{}' } }] }); s.end(o + delta({}, 'tool_calls') + 'data: [DONE]\n\n'); });
t('args 2MB named pieces', (s, n) => { if (n > 0) return void s.end(HEAD + delta({ content: 'k' }) + END); s.write(HEAD); let o = delta({ tool_calls: [{ index: 0, function: { name: 'shell', arguments: '{"a":"' } }] }); const p = delta({ tool_calls: [{ index: 0, function: { name: 'shell', arguments: 'x'.repeat(100) } }] }); o += p.repeat(20_000); s.end(o + delta({ tool_calls: [{ index: 0, function: { name: 'shell', arguments: '"}' } }] }) + delta({}, 'tool_calls') + 'data: [DONE]\n\n'); });
t('deep args', (s, n) => { if (n > 0) return void s.end(HEAD + delta({ content: 'k' }) + END); const deep = '{"a":' + '['.repeat(50_000) + ']'.repeat(50_000) + '}'; s.end(HEAD + [0, 1].map((i) => delta({ tool_calls: [{ index: i, id: `c${i}`, function: { name: 'shell', arguments: deep } }] })).join('') + delta({}, 'tool_calls') + 'data: [DONE]\n\n'); }, { prompts: 2 });
t('deep args as object', (s, n) => { if (n > 0) return void s.end(HEAD + delta({ content: 'k' }) + END); const deep = '{"a":' + '['.repeat(50_000) + ']'.repeat(50_000) + '}'; s.end(HEAD + `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"shell","arguments":${deep}}}]}}]}\n\n` + delta({}, 'tool_calls') + 'data: [DONE]\n\n'); }, { prompts: 2 });
t('deep error', (s) => s.end(HEAD + `data: ${'{"error":'.repeat(50_000)}1${'}'.repeat(50_000)}\n\n`));
t('deep 400', (s) => { const b = `${'{"error":'.repeat(50_000)}1${'}'.repeat(50_000)}`; s.end(`HTTP/1.1 400 Bad\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${b.length}\r\n\r\n${b}`); });
t('endless line', (s) => { s.write(HEAD + 'data: '); const b = Buffer.alloc(1 << 20, 120); const go = () => { while (!s.destroyed && s.write(b)); if (!s.destroyed) s.once('drain', go); }; go(); }, { timeout: 6000 });
t('endless error body', (s) => { s.write('HTTP/1.1 500 x\r\nconnection: close\r\n\r\n'); const b = Buffer.alloc(1 << 20, 120); const go = () => { while (!s.destroyed && s.write(b)); if (!s.destroyed) s.once('drain', go); }; go(); }, { timeout: 8000 });
t('regex error body', (s) => { const b = 'input token count '.repeat(20000); s.end(`HTTP/1.1 400 Bad\r\nconnection: close\r\n\r\n${b}`); });
t('trickle bytes', (s) => { s.write(HEAD); const i = setInterval(() => s.write('d'), 100); s.on('close', () => clearInterval(i)); });
t('trickle empty events', (s) => { s.write(HEAD); const i = setInterval(() => s.write('data: {}\n\n'), 100); s.on('close', () => clearInterval(i)); }, { timeout: 12000 });
t('pings after finish', (s) => { s.write(HEAD + delta({ content: 'hi' }, 'stop')); const i = setInterval(() => s.write(': p\n\n'), 100); s.on('close', () => clearInterval(i)); }, { timeout: 12000 });
t('never', () => undefined);
t('rst at accept', (s) => s.resetAndDestroy());
t('rst after status', (s) => { s.write('HTTP/1.1 200 OK\r\n'); setTimeout(() => s.resetAndDestroy(), 50); });
t('rst after headers', (s) => { s.write(HEAD); setTimeout(() => s.resetAndDestroy(), 50); });
t('rst mid text', (s) => { s.write(HEAD + delta({ content: 'hel' })); setTimeout(() => s.resetAndDestroy(), 50); });
t('rst mid char', (s) => { s.write(HEAD); s.write(Buffer.concat([Buffer.from('data: {"choices":[{"delta":{"content":"'), Buffer.from('é').subarray(0, 1)])); setTimeout(() => s.resetAndDestroy(), 50); });
t('rst after calls', (s) => { s.write(HEAD + delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'shell', arguments: '{}' } }] })); setTimeout(() => s.resetAndDestroy(), 50); });
t('rst after finish', (s, n) => { s.write(HEAD + (n ? delta({ content: 'k' }, 'stop') : delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'shell', arguments: '{}' } }] }, 'tool_calls'))); setTimeout(() => s.resetAndDestroy(), 50); });
t('rst in error body', (s) => { s.write('HTTP/1.1 500 x\r\ncontent-length: 100\r\n\r\n{"err'); setTimeout(() => s.resetAndDestroy(), 50); });
t('not http', (s) => s.end('SSH-2.0-OpenSSH\r\n\r\n'));
t('key with newline', (s) => s.end(HEAD + delta({ content: 'k' }) + END), { key: 'sk-planted-1\nsk-second' });
t('key with unicode', (s) => s.end(HEAD + delta({ content: 'k' }) + END), { key: 'sk-planted-1…' });
t('gzip garbage', (s) => s.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\nnot gzip at all'));
t('bad id', (s, n) => { if (n > 0) return void s.end(HEAD + delta({ content: 'k' }) + END); s.end(HEAD + 'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c\\ud800\\n]]]","function":{"name":"shell\\n","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n'); });
t('backslash 10MB', (s) => s.end(HEAD + delta({ content: '\\'.repeat(1e7) }) + END));
t('spaces args 10MB', (s, n) => { if (n > 0) return void s.end(HEAD + delta({ content: 'k' }) + END); s.end(HEAD + delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'shell', arguments: `{"a":"${'é '.repeat(5e6)}"}` } }] }, 'tool_calls') + 'data: [DONE]\n\n'); });
t('redirect loop', (s) => s.end('HTTP/1.1 307 x\r\nlocation: /v1/chat/completions\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'));
t('204', (s) => s.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'));
t('huge header', (s) => s.end(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100000)}\r\n\r\n`));
t('proto', (s, n) => { if (n > 0) return void s.end(HEAD + delta({ content: 'k' }) + END); s.end(HEAD + delta({ tool_calls: [{ index: 0, id: '__proto__', function: { name: '__proto__', arguments: '{"__proto__":{"x":1},"constructor":1}' } }] }, 'tool_calls') + 'data: [DONE]\n\n'); });
