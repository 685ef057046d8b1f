import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Session and agent files as a server leaves them: `sessions` of one agent each with `messages` messages. */
export function writeSessions(data, sessions, messages) {
  const directory = join(data, 'sessions');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (let number = 0; number < sessions; number += 1) {
    const [session, agent] = [idOf(number, 1), idOf(number, 2)];
    const record = { id: agent, name: 'a', profile: 'default', cwd: '/', depth: 0, settings: {}, created: 1764498300123 };
    const file = {
      version: 1,
      id: session,
      name: `s${String(number)}`,
      remote: null,
      paused: false,
      agents: [record],
      created: 1764498300123,
      cwd: '/',
    };
    writeFileSync(join(directory, `${session}.session.json`), `${JSON.stringify(file)}\n`);
    writeFileSync(join(directory, `${agent}.jsonl`), journal(messages));
  }
}

function journal(messages) {
  const lines = [{ t: 'journal', generation: 0 }];
  for (let number = 0; number < messages; number += 2) {
    lines.push({ t: 'message', m: { role: 'user', content: `question ${String(number)} ${'x'.repeat(200)}` } });
    lines.push({ t: 'message', m: { role: 'assistant', content: `answer ${String(number)} ${'y'.repeat(800)}` } });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function idOf(number, kind) {
  return `${String(1764498300000000000n + BigInt(number))}-${String(kind).padStart(6, '0')}`;
}
