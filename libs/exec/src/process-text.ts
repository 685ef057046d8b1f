import { escapeField } from '#model';
import type { ToolProcess } from './tool-process.js';

/** Lines of `proc/list`: number, state, tool, separated by tabs. */
export function processLines(processes: readonly ToolProcess[]): string {
  return processes.map((process) => `${process.id}\t${process.state}\t${process.facts.tool}\n`).join('');
}

/** `proc/{pid}/stat`: one `key=value` a line, in the contract's order. Times in milliseconds since the epoch, runtime in seconds. */
export function processStat(process: ToolProcess, nowMs: number): string {
  const { facts, startedMs, endedMs, exitCode } = process;
  const values: Readonly<Record<string, string | number | boolean>> = {
    id: process.id,
    state: process.state,
    tool: facts.tool,
    call: facts.call,
    sandbox: process.sandbox ?? '',
    cmd: facts.command,
    agent: facts.agent,
    session: facts.session,
    cwd: facts.cwd,
    start: startedMs,
    end: endedMs ?? '',
    runtime: (((endedMs ?? nowMs) - startedMs) / 1000).toFixed(1),
    exit: exitCode ?? '',
    ospid: process.osPid ?? '',
    outbytes: process.output.total,
    notified: process.notified,
    tier: facts.tier,
    background: facts.background,
  };
  return Object.entries(values)
    .map(([key, value]) => `${key}=${escapeField(String(value))}\n`)
    .join('');
}
