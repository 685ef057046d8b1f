import type { JsonObject } from '#model';
import { textField } from '../../../wire/json-fields.js';
import type { Violation } from '../rules.js';
import { blocksOf } from './parse-messages.js';

/** The first place where calls and results do not belong together: results stand first in the one message behind the calls. */
export function pairingViolation(messages: readonly JsonObject[]): Violation | undefined {
  const used = new Set<string>();
  let open: readonly string[] = [];
  for (const [index, message] of messages.entries()) {
    const path = `messages.${index}`;
    const blocks = blocksOf(message.content);
    const found = resultsViolation(blocks, open, path) ?? twice(blocks, used, path);
    if (found) return found;
    const missing = open.filter((id) => !leadingResults(blocks).includes(id));
    if (missing.length > 0) return unanswered(`messages.${index - 1}`, missing);
    open = message.role === 'assistant' ? callsIn(blocks) : [];
  }
  return open.length > 0 ? unanswered(`messages.${messages.length - 1}`, open) : undefined;
}

function callsIn(blocks: readonly JsonObject[]): readonly string[] {
  return blocks.filter(({ type }) => type === 'tool_use').map((block) => textField(block, 'id') ?? '');
}

/** A result behind something else counts for nothing. */
function leadingResults(blocks: readonly JsonObject[]): readonly string[] {
  const other = blocks.findIndex(({ type }) => type !== 'tool_result');
  return blocks.slice(0, other < 0 ? blocks.length : other).map((block) => textField(block, 'tool_use_id') ?? '');
}

function resultsViolation(blocks: readonly JsonObject[], open: readonly string[], path: string): Violation | undefined {
  const seen = new Set<string>();
  for (const [i, block] of blocks.entries()) {
    if (block.type !== 'tool_result') continue;
    const id = textField(block, 'tool_use_id') ?? '';
    const place = `${path}.content.${i}`;
    if (!open.includes(id)) return orphan(place, id);
    if (seen.has(id)) return at(place, `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`);
    seen.add(id);
  }
  return undefined;
}

function twice(blocks: readonly JsonObject[], used: Set<string>, path: string): Violation | undefined {
  for (const [i, block] of blocks.entries()) {
    if (block.type !== 'tool_use') continue;
    const id = textField(block, 'id') ?? '';
    if (used.has(id)) return at(`${path}.content.${i}`, '`tool_use` ids must be unique');
    used.add(id);
  }
  return undefined;
}

function orphan(path: string, id: string): Violation {
  const why = 'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.';
  return at(path, `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ${why}`);
}

function unanswered(path: string, ids: readonly string[]): Violation {
  const why = 'Each `tool_use` block must have a corresponding `tool_result` block in the next message.';
  return at(path, `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. ${why}`);
}

function at(path: string, why: string): Violation {
  return { path, message: `${path}: ${why}` };
}
