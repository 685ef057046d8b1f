import type { ToolProcessInfo } from '#model';
import type { StartedProcess } from './kept/process-keeper.js';

/** The `PID TOOL CMD` table of the running processes: columns padded, a command on one line. */
export function processTable(processes: readonly ToolProcessInfo[]): string {
  const running = processes.filter((process) => process.state === 'running');
  const rows = [['PID', 'TOOL', 'CMD'], ...running.map(({ pid, tool, command }) => [String(pid), tool, command.replace(/\s+/g, ' ')])];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' ')}\n`).join('');
}

/** What a tool server lists and what has ended before, by number. */
export function allProcesses(listed: readonly ToolProcessInfo[], ended: readonly StartedProcess[]): readonly ToolProcessInfo[] {
  const gone = ended.filter(({ pid }) => !listed.some((process) => process.pid === pid));
  return [...gone.map(({ pid, tool, command }) => ({ pid, state: 'exited', tool, command }) as const), ...listed].sort(
    (a, b) => a.pid - b.pid,
  );
}
