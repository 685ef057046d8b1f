import type { BypassOrder } from '../bypass-order.js';

/** A call of a shell that asks to leave the sandbox. */
export const sampleOrder: BypassOrder = {
  kind: 'bypass',
  question: undefined,
  agent: 'a-1',
  session: 's-1',
  call: 'c-1',
  tool: 'shell',
  args: { cmd: 'apt update' },
  argv: ['/tools/shell'],
  sandbox: 'default',
  cwd: '/',
  env: { HOME: '/h' },
};
