import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '#config';
import { SandboxHelperError } from './errors.js';
import { parseFields } from './parse-helper-report.js';

/** What this kernel offers. */
export interface ProbeReport {
  /** Landlock ABI, 0 = none. */
  readonly landlock: number;
  readonly seccomp: boolean;
  readonly userns: boolean;
  /** Whether private namespaces can be had, as `run` and `cell` need them. */
  readonly cells: boolean;
  /** As uname says it; empty when the helper does not say. */
  readonly kernel: string;
  readonly machine: string;
}

/** Asks the helper; an abort kills it and rejects with the AbortError. Throws SandboxHelperError when it cannot answer. */
export async function probe(helper: string, signal: AbortSignal): Promise<ProbeReport> {
  const fields = parseFields(await answerOf(helper, signal));
  const [landlock, seccomp] = [fields.get('landlock'), fields.get('seccomp')];
  const [userns, cells] = [fields.get('userns'), fields.get('cells')];
  if (typeof landlock === 'number' && typeof seccomp === 'boolean' && typeof userns === 'boolean' && typeof cells === 'boolean')
    return { landlock, seccomp, userns, cells, kernel: textOf(fields.get('kernel')), machine: textOf(fields.get('machine')) };
  throw new SandboxHelperError('probe: incomplete answer');
}

async function answerOf(helper: string, signal: AbortSignal): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(helper, ['probe'], { env: {}, signal });
    return stdout;
  } catch (error) {
    signal.throwIfAborted();
    throw new SandboxHelperError(`probe: ${messageOf(error)}`);
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
