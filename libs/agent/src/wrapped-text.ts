import { limitText } from './limit-text.js';
import { endedLine, escapeAttribute, escapeText } from './xml-text.js';

const MAX_BODY_BYTES = 32 * 1024;
const WHOLE_FEED = '[full value: feed]\n';

/** What another agent has written to this one. */
export function peerText(from: string, text: string): string {
  return `<system-peer from="${escapeAttribute(from)}">\n${endedLine(escapeText(text))}</system-peer>`;
}

/** What was fed to the agent; of more than 32 KiB the start and the end, and where the rest is. */
export function feedText(value: string): string {
  const whole = endedLine(escapeText(value));
  const isCut = Buffer.byteLength(whole) > MAX_BODY_BYTES;
  const body = isCut ? endedLine(limitText(whole, MAX_BODY_BYTES - WHOLE_FEED.length - 1)) + WHOLE_FEED : whole;
  return `<system-feed>\n${body}</system-feed>`;
}

/** What the user has put in while the model was at work. These are the user's words, so they stay as they are. */
export function interruptionText(text: string): string {
  return `<system-user-interruption>\n${endedLine(text)}</system-user-interruption>`;
}
