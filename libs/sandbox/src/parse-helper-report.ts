import { SandboxHelperError } from './errors.js';

/**
 * Lines that the helper writes on descriptor 4: `failed` alone (no tool ran), or `started` and then `exit` or `signal`.
 * `missing` names the layers that are not enforced, `notes` the grants that the helper left out, `left` how many
 * processes the tool had left behind (they are dead by now).
 */
export type HelperReport =
  | {
      readonly type: 'started';
      readonly pid: number;
      readonly sandbox: 'full' | 'partial' | 'none';
      readonly missing: readonly string[];
      readonly notes?: readonly string[];
    }
  | { readonly type: 'exit'; readonly code: number; readonly left?: number }
  | { readonly type: 'signal'; readonly signal: number; readonly left?: number }
  | { readonly type: 'failed'; readonly step: string; readonly message: string };

type EndReport = Extract<HelperReport, { type: 'exit' | 'signal' }>;
type Fields = ReadonlyMap<string, unknown>;

/** Throws SandboxHelperError for anything else. */
export function parseHelperReport(line: string): HelperReport {
  const report = toReport(parseFields(line));
  if (!report) throw new SandboxHelperError(`unknown report: ${line}`);
  return report;
}

/** The fields of one JSON object. Throws SandboxHelperError. */
export function parseFields(line: string): Fields {
  const value = parseValue(line);
  if (typeof value !== 'object' || value === null) throw new SandboxHelperError(`not an object: ${line}`);
  return new Map(Object.entries(value));
}

function parseValue(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SandboxHelperError(`not JSON: ${line}`);
    throw error;
  }
}

function toReport(fields: Fields): HelperReport | undefined {
  switch (fields.get('type')) {
    case 'started':
      return toStarted(fields);
    case 'failed':
      return toFailed(fields);
    case 'exit':
      return toEnd(fields, 'code', (code) => ({ type: 'exit', code }));
    case 'signal':
      return toEnd(fields, 'signal', (signal) => ({ type: 'signal', signal }));
    default:
      return undefined;
  }
}

function toStarted(fields: Fields): HelperReport | undefined {
  const [pid, sandbox, missing, notes] = [fields.get('pid'), fields.get('sandbox'), fields.get('missing'), fields.get('notes') ?? []];
  if (typeof pid !== 'number' || !isReach(sandbox) || !isTexts(missing) || !isTexts(notes)) return undefined;
  return { type: 'started', pid, sandbox, missing, notes };
}

function isReach(value: unknown): value is 'full' | 'partial' | 'none' {
  return value === 'full' || value === 'partial' || value === 'none';
}

function toFailed(fields: Fields): HelperReport | undefined {
  const [step, message] = [fields.get('step'), fields.get('message')];
  return typeof step === 'string' && typeof message === 'string' ? { type: 'failed', step, message } : undefined;
}

function toEnd(fields: Fields, key: string, make: (value: number) => EndReport): EndReport | undefined {
  const [value, left] = [fields.get(key), fields.get('left')];
  if (typeof value !== 'number') return undefined;
  return typeof left === 'number' ? { ...make(value), left } : make(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
