import { olliesrvNamespace } from '../../apps/olliesrv/src/namespace/root.js';
import { toolsrvNamespace } from '../../apps/toolsrv/src/namespace/root.js';
import type { DirSpec } from '#virtfs';
import { specsOf, wordsOf } from '../support/table-rows.js';

type Row = readonly [path: string, mode: string, kind: string];

/** Section 2 of the namespace contract, the rows that exist: S = text, D = data, L = control, M = message or ask, B = wait, T = stream. */
const OLLIESRV: readonly Row[] = [
  ['backends', '444', 'text'],
  ['models', '444', 'text'],
  ['agents', '444', 'text'],
  ['tools', '444', 'text'],
  ['help', '444', 'text'],
  ['aliases', '444', 'text'],
  ['ctl', '660', 'control'],
  ['eventwait', '444', 'wait'],
  ['events', '444', 'stream'],
  ['approvals', '550', 'dir'],
  ['approvals/pending', '400', 'wait'],
  ['approvals/resolve', '200', 'message'],
  ['approvals/log', '400', 'stream'],
  ['generate', '660', 'ask'],
  ['session', '555', 'dir'],
  ['session/new', '660', 'ask'],
  ['session/idx', '444', 'text'],
  ['session/{session}', '555', 'dir'],
  ['session/{session}/env', '444', 'text'],
  ['session/{session}/paused', '444', 'text'],
  ['session/{session}/ctl', '660', 'control'],
  ['session/{session}/name', '664', 'text'],
  ['session/{session}/id', '444', 'text'],
  ['session/{session}/agent', '555', 'dir'],
  ['session/{session}/agent/new', '660', 'ask'],
  ['session/{session}/agent/idx', '444', 'text'],
  ['session/{session}/agent/{agent}', '555', 'dir'],
  ['session/{session}/agent/{agent}/prompt', '220', 'message'],
  ['session/{session}/agent/{agent}/fifo', '664', 'queue'],
  ['session/{session}/agent/{agent}/feed', '664', 'latest'],
  ['session/{session}/agent/{agent}/chat', '444', 'stream'],
  ['session/{session}/agent/{agent}/chat.raw', '444', 'stream'],
  ['session/{session}/agent/{agent}/statewait', '444', 'wait'],
  ['session/{session}/agent/{agent}/log', '444', 'text'],
  ['session/{session}/agent/{agent}/plan', '664', 'data'],
  ['session/{session}/agent/{agent}/cfg', '664', 'settings'],
  ['session/{session}/agent/{agent}/ctl', '660', 'control'],
  ['session/{session}/agent/{agent}/stats', '444', 'text'],
  ['session/{session}/agent/{agent}/name', '664', 'text'],
  ['session/{session}/agent/{agent}/id', '444', 'text'],
  ['session/{session}/agent/{agent}/peer', '555', 'dir'],
  ['session/{session}/agent/{agent}/peer/{other}', '220', 'message'],
  ['session/{session}/agent/{agent}/ctx', '555', 'dir'],
  ['session/{session}/agent/{agent}/ctx/idx', '444', 'text'],
  ['session/{session}/agent/{agent}/ctx/{number}', '444', 'text'],
  ['session/{session}/agent/{agent}/budget', '644', 'settings'],
  ['session/{session}/agent/{agent}/proc', '555', 'dir'],
  ['session/{session}/agent/{agent}/proc/{pid}', '555', 'dir'],
  ['session/{session}/agent/{agent}/proc/{pid}/out', '444', 'text'],
  ['session/{session}/agent/{agent}/proc/{pid}/stat', '444', 'text'],
  ['session/{session}/agent/{agent}/proc/top', '444', 'text'],
];

/** Section 3. */
const TOOLSRV: readonly Row[] = [
  ['ctl', '220', 'control'],
  ['tools', '660', 'ask'],
  ['tools_rev', '660', 'ask'],
  ['all', '444', 'text'],
  ['info', '444', 'text'],
  ['bypass', '555', 'dir'],
  ['bypass/pending', '440', 'wait'],
  ['bypass/resolve', '220', 'message'],
  ['proc', '555', 'dir'],
  ['proc/list', '660', 'ask'],
  ['proc/new', '660', 'ask'],
  ['proc/new.bg', '660', 'ask'],
  ['proc/{pid}', '555', 'dir'],
  ['proc/{pid}/out', '444', 'text'],
  ['proc/{pid}/wait', '444', 'wait'],
  ['proc/{pid}/stat', '444', 'text'],
  ['proc/{pid}/ctl', '220', 'control'],
];

const AGENT_COMMANDS = `
  stop clear kill ask inject i irw agent model models backend name cwd
  tools tool_load tool_unload proc systemprompt usage cost queue agents sessions history help
`
  .trim()
  .split(/\s+/);

describe('the tables say what the contract says', () => {
  it('for olliesrv', () => {
    expect(sorted(rowsOf(olliesrvNamespace))).toEqual(sorted(OLLIESRV));
  });

  it('for toolsrv', () => {
    expect(sorted(rowsOf(toolsrvNamespace))).toEqual(sorted(TOOLSRV));
  });

  it('for the commands of each ctl', () => {
    expect(commandsOf(olliesrvNamespace, 'ctl')).toEqual(['help', 'invalidate', 'kill', 'trust']);
    expect(commandsOf(olliesrvNamespace, 'session/{session}/ctl')).toEqual(['help', 'invalidate', 'kill', 'pause', 'resume', 'save']);
    expect(commandsOf(olliesrvNamespace, 'session/{session}/agent/{agent}/ctl')).toEqual([...AGENT_COMMANDS].sort());
    expect(commandsOf(toolsrvNamespace, 'ctl')).toEqual(['help', 'load', 'unload']);
    expect(commandsOf(toolsrvNamespace, 'proc/{pid}/ctl')).toEqual(['ack', 'dismiss', 'help', 'kill', 'signal', 'term']);
  });
});

function rowsOf(spec: DirSpec<never>): Row[] {
  return [...specsOf(spec)].map(([path, { mode, kind }]) => [path, mode.toString(8), kind]);
}

function commandsOf(spec: DirSpec<never>, path: string): readonly string[] {
  return wordsOf([...specsOf(spec)].find(([name]) => name === path)?.[1]);
}

function sorted(rows: readonly Row[]): Row[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
}
