import { textResult, type ToolContent, type ToolResult } from '#model';
import { clippedText } from './clip.js';
import { denialHints } from './denial-hint.js';
import { MAX_MODEL_BYTES } from './output-buffer.js';
import { announcesResult, parseToolResult } from './parse-tool-result.js';
import type { RunEnd } from './process-launcher.js';
import type { ToolProcess } from './tool-process.js';

/** The result of a process that has ended (contract 3.2), its text within what a model gets to see. */
export function callResult(process: ToolProcess): ToolResult {
  const facts = { ...exitOf(process), ...(process.sandbox === undefined ? {} : { sandbox: process.sandbox }) };
  return { ...content(process), ...facts };
}

function exitOf(process: ToolProcess): Pick<ToolResult, 'exitCode'> {
  return process.exitCode === undefined ? {} : { exitCode: process.exitCode };
}

function content(process: ToolProcess): ToolResult {
  const { cause, exitCode, outcome } = process;
  if (cause === 'cancel' || cause === 'shutdown') return textResult('cancelled', true);
  if (cause === 'timeout') return failure(process, `execution timeout after ${process.facts.timeoutSeconds ?? 0} seconds`);
  if (outcome?.type === 'failed') return textResult(notRun(process, outcome), true);
  if (announcesResult(process.output.firstBytes(32))) return ownResult(process);
  if (exitCode !== 0) return failure(process, `execution failed: exit ${exitCode}${cause === 'limit' ? ' (too much output)' : ''}`);
  const ended = leftNote(process);
  return textResult(withHints(process, { before: '', after: ended }));
}

function failure(process: ToolProcess, what: string): ToolResult {
  if (process.output.total === 0) return textResult(what, true);
  return textResult(withHints(process, { before: `${what}\n`, after: '' }), true);
}

function notRun({ facts }: ToolProcess, { code, step, message }: Extract<RunEnd, { type: 'failed' }>): string {
  const hints = facts.policy === undefined ? [] : denialHints({ output: message, cwd: facts.cwd, isCell: false }, facts.policy);
  return [`execution failed: exit ${code}`, `${step}: ${message}`, ...hints].join('\n');
}

/** The output between two texts, and behind it what the policy says about the paths that were refused; all within what a model gets to see. */
function withHints(process: ToolProcess, { before, after }: { readonly before: string; readonly after: string }): string {
  const { policy, cwd } = process.facts;
  const seen = process.output.modelText(MAX_MODEL_BYTES - Buffer.byteLength(before + after), outputName(process));
  const hints = policy === undefined ? [] : denialHints({ output: seen, cwd, isCell: process.isInCell }, policy);
  if (hints.length === 0) return `${before}${seen}${after}`;
  const apart = `${seen}${after}`.endsWith('\n') ? '' : '\n';
  const behind = `${after}${apart}${hints.map((hint) => `${hint}\n`).join('')}`;
  return `${before}${process.output.modelText(MAX_MODEL_BYTES - Buffer.byteLength(before + behind), outputName(process))}${behind}`;
}

/** A tool that starts something in the background and returns must know that it did not stay. */
function leftNote({ outcome }: ToolProcess): string {
  const left = outcome !== undefined && outcome.type !== 'failed' ? outcome.left : 0;
  return left === 0 ? '' : `\n[processes that were still running have been ended with the call: ${left}]\n`;
}

function ownResult(process: ToolProcess): ToolResult {
  if (process.output.isTruncated) return textResult('execution failed: the result is too long', true);
  const result = parseToolResult(process.output.firstBytes(process.output.total).toString('utf8'));
  if (typeof result === 'string') return textResult(`execution failed: ${result}`, true);
  const clip = (text: string): string => clippedText(text, MAX_MODEL_BYTES, `${outputName(process)} has all`);
  const parts = result.content.map((part) => (part.type === 'text' ? { ...part, text: clip(part.text) } : part));
  const isError = result.isError || process.exitCode !== 0;
  return { content: [...parts, ...(isError ? hintsOn(process, parts) : [])], isError };
}

function hintsOn({ facts, isInCell }: ToolProcess, parts: readonly ToolContent[]): readonly ToolContent[] {
  const texts = parts.map((part) => (part.type === 'text' ? part.text : ''));
  const said = { output: texts.join('\n'), cwd: facts.cwd, isCell: isInCell };
  const hints = facts.policy === undefined ? [] : denialHints(said, facts.policy);
  return hints.length === 0 ? [] : [{ type: 'text', text: hints.map((hint) => `${hint}\n`).join('') }];
}

function outputName(process: ToolProcess): string {
  return `proc/${process.id}/out`;
}
