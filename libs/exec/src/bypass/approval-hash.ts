import { createHmac, randomBytes } from 'node:crypto';
import type { BypassOrder } from './bypass-order.js';

/** Of this server alone: whoever reads a hash shall not find out by trying what the environment holds. */
const KEY = randomBytes(32);

/** Names exactly one command for one agent of one session, with its directory and its environment, in or outside the sandbox, as long as this server lives. */
export function approvalHash({ kind, agent, session, tool, args, argv, sandbox, cwd, env }: BypassOrder): string {
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac('sha256', KEY)
    .update(JSON.stringify([kind, agent, session, tool, args, argv, sandbox, cwd, variables]))
    .digest('hex');
}
