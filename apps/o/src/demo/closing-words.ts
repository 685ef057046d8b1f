import type { Repair } from './conversation.js';

/** Read, from a cache or not. */
const INPUT = ['totalInputTokens', 'totalCachedInputTokens', 'totalCacheCreationTokens'];

/** `Cost: …` with what the agent's stats know. */
export function costLine({ stats, backend }: Pick<Repair, 'stats' | 'backend'>): string {
  const count = (key: string): string => stats.get(key) ?? '0';
  const cost = stats.get('sessionCostUSD');
  const price = cost === undefined ? `not told by ${backend}` : `$${cost}`;
  const input = INPUT.reduce((sum, key) => sum + Number(count(key)), 0);
  return `Cost: ${price}; ${count('totalRequests')} requests, ${input} tokens in, ${count('totalOutputTokens')} tokens out.`;
}

/** `Sandbox: …` with what was in force for the agent's tools and what was not. */
export function sandboxLine({ stats }: Repair, landlock: number): string {
  const reach = stats.get('sandbox') ?? 'no tool ran';
  const layers = `Landlock (version ${landlock}) for files and network, seccomp, dropped capabilities, a scrubbed environment`;
  if (reach === 'full') return `Sandbox: full: private namespaces, ${layers}.`;
  return reach === 'partial' ? `Sandbox: partial: ${layers}; no private namespaces.` : `Sandbox: ${reach}.`;
}

/** How to go on, in three lines. */
export function closingWords(): string {
  const lines = [
    'A real model:  OLLIE_BACKEND=ollama OLLIE_MODEL=qwen3:8b npm run demo',
    'Your server:   bin/olliesrv serve   and, in another shell:   bin/ollie-9p ls -l',
    'A mount of it: bin/o mount   and then:   ls ~/mnt/ollie',
  ];
  return lines.map((line) => `${line}\n`).join('');
}
