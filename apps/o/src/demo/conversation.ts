import { visible } from '#config';
import { chunksOf, Client, openMode } from '#ninep';
import type { Output } from '#ninep-cli';

const AGENT = 'session/demo/agent/fixer';

export interface Task {
  readonly socket: string;
  readonly cwd: string;
  readonly prompt: string;
  readonly output: Output;
}

export interface Repair {
  /** The agent's `stats`. */
  readonly stats: ReadonlyMap<string, string>;
  readonly backend: string;
}

/** Makes a session and an agent, prompts it, and shows its chat until the turn is over. */
export async function watchRepair({ socket, cwd, prompt, output }: Task, signal: AbortSignal): Promise<Repair> {
  const client = await Client.dial({ address: { type: 'unix', path: socket }, uname: 'demo', aname: '' }, signal);
  try {
    await client.ask('session/new', 'name=demo\n', signal);
    await client.ask('session/demo/agent/new', `name=fixer\ncwd=${cwd}\nagent=coding\n`, signal);
    await client.writeAll(`${AGENT}/prompt`, prompt, signal);
    await showChat(client, output, signal);
    const facts = async (file: string) => keyValues(await client.readAll(`${AGENT}/${file}`, signal));
    return { stats: await facts('stats'), backend: (await facts('cfg')).get('backend') ?? '' };
  } finally {
    client.close();
  }
}

/** The chat ends when the turn does. What models and tools say is shown, never obeyed, by the terminal. */
async function showChat(client: Client, output: Output, signal: AbortSignal): Promise<void> {
  const chat = await client.open(`${AGENT}/chat`, openMode.read, signal);
  const decoder = new TextDecoder();
  for await (const bytes of chunksOf(chat, signal)) await output.write(forTerminal(decoder.decode(bytes, { stream: true })));
  await chat.clunk();
}

function forTerminal(text: string): string {
  return text.replace(/[^\n\t]+/g, visible);
}

function keyValues(bytes: Uint8Array): ReadonlyMap<string, string> {
  const lines = new TextDecoder().decode(bytes).split('\n');
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}
