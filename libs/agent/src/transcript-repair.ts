import type { ByteLog } from '#virtfs';
import { ContentEscaper, endLine } from './markup.js';
import { type Block, blocksIn } from './parse-markup.js';
import { plainText } from './plain-text.js';
import { bytesOf, transcriptEnd, type TranscriptEnd } from './transcript-end.js';
import { TRANSCRIPT_START, type TranscriptMark } from './transcript-mark.js';

const NEWLINE = 0x0a;

/**
 * Ends the block that an earlier process was writing, and gives the number of the last one. A prompt that was being
 * shown is shown whole: `prompt` is its text. `shorten` takes away what is behind a length.
 */
export function closeRaw(raw: ByteLog, shorten: (length: number) => void, prompt: string | undefined): number {
  const end = transcriptEnd(raw);
  if (end.torn !== undefined) shorten(end.torn);
  if (!end.isOpen) return end.blocks;
  const rest = end.lastRole === 'user' && prompt !== undefined ? restOfUser(raw, end, prompt) : undefined;
  raw.append(rest ?? endOf(end));
  return end.blocks;
}

/** Adds what chat.raw says and `chat` does not, both from `start` on, and gives the blocks that chat.raw has there. */
export function followRaw(raw: ByteLog, plain: ByteLog, start: TranscriptMark): readonly Block[] {
  const blocks = blocksFrom(raw, start.raw);
  if (plain.length < start.plain) complete(plain, 0, blocksFrom(raw, TRANSCRIPT_START.raw));
  else complete(plain, start.plain, blocks);
  return blocks;
}

function blocksFrom(raw: ByteLog, start: number): readonly Block[] {
  return blocksIn(bytesOf(raw, start, raw.length).toString('utf8'));
}

function complete(plain: ByteLog, start: number, blocks: readonly Block[]): void {
  const whole = Buffer.from(blocks.map(plainText).join(''), 'utf8');
  plain.append(whole.subarray(plain.length - start));
  if (plain.length > 0 && plain.slice(plain.length - 1, 1)[0] !== NEWLINE) plain.append('\n');
}

function endOf({ lastRole = '', isAtLineStart }: TranscriptEnd): string {
  return `${isAtLineStart ? '' : '\n'}${endLine(lastRole, !isAtLineStart)}`;
}

/** Undefined when the block does not begin as the prompt does. */
function restOfUser(raw: ByteLog, { contentAt }: TranscriptEnd, prompt: string): Uint8Array | undefined {
  const escaper = new ContentEscaper();
  const content = escaper.push(prompt);
  const { rest, nonl } = escaper.finish();
  const whole = Buffer.from(content + rest + endLine('user', nonl), 'utf8');
  const there = bytesOf(raw, contentAt, raw.length);
  return whole.subarray(0, there.length).equals(there) ? whole.subarray(there.length) : undefined;
}
