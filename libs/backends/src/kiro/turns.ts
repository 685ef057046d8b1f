import type { ImageContent, JsonObject, ModelRequest, ReplayBlock, ToolContent } from '#model';
import { conversationSteps, type CallResult, type ConversationStep } from '../wire/conversation-steps.js';
import { WireIds } from '../wire/wire-ids.js';
import { reasoningContent } from './reasoning.js';

const FORMATS: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/gif': 'gif', 'image/webp': 'webp' };

interface UserTurn {
  readonly role: 'user';
  readonly content: string[];
  readonly images: JsonObject[];
  readonly toolResults: JsonObject[];
}

interface AssistantTurn {
  readonly role: 'assistant';
  readonly content: string;
  readonly toolUses: readonly JsonObject[];
  readonly reasoning: JsonObject | undefined;
}

export type Turn = UserTurn | AssistantTurn;

/** A conversation in turns that alternate, begin with the user's and end with it; results stand in the turn behind their calls. */
export class Turns {
  private readonly turns: Turn[] = [];
  private readonly ids = new WireIds();

  private constructor(private readonly isOurs: (block: ReplayBlock) => boolean) {}

  static of({ messages, model }: ModelRequest, provider: string): Turns {
    const turns = new Turns((block) => block.provider === provider && block.model === model);
    for (const step of conversationSteps(messages)) turns.add(step);
    return turns;
  }

  /** With the system prompt at the start of the first; no content is empty. */
  finish(system: string): readonly Turn[] {
    if (this.turns.at(-1)?.role !== 'user') this.user().content.push('(continued)');
    const [first] = this.turns;
    if (first?.role === 'user' && system.trim() !== '') first.content.unshift(system);
    for (const turn of this.turns) {
      if (turn.role === 'user' && turn.content.length === 0) turn.content.push(turn.toolResults.length > 0 ? '(tool results)' : '(empty)');
    }
    return this.turns;
  }

  private add(step: ConversationStep): void {
    if (step.role === 'user') this.addContent(step.content);
    else this.addAnswer(step);
  }

  private addContent(parts: readonly ToolContent[]): void {
    const turn = this.user();
    for (const part of parts) {
      if (part.type === 'image') turn.images.push(...wireImage(part));
      const text = part.type === 'text' ? part.text : noteOn(part);
      if (text.trim() !== '') turn.content.push(text);
    }
  }

  private addAnswer({ message, results }: Extract<ConversationStep, { role: 'assistant' }>): void {
    const content = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    if (content.trim() === '' && results.length === 0) return;
    if (this.turns.at(-1)?.role !== 'user') this.user().content.push('(continued)');
    const ids = results.map(({ call }) => this.ids.claim(call.id));
    const toolUses = results.map(({ call }, at) => ({ toolUseId: ids[at] ?? '', name: call.name, input: call.arguments }));
    const ours = message.content.flatMap((part) => (part.type === 'replay' && this.isOurs(part) ? [part.data] : []));
    const reasoning = ours.map(reasoningContent).find(Boolean);
    this.turns.push({ role: 'assistant', content: content.trim() === '' ? '(no text)' : content, toolUses, reasoning });
    results.forEach((result, at) => this.addResult(ids[at] ?? '', result));
  }

  private addResult(toolUseId: string, { content, isError }: CallResult): void {
    const turn = this.user();
    for (const part of content) if (part.type === 'image') turn.images.push(...wireImage(part));
    const texts = content.map((part) => (part.type === 'text' ? part.text : noteOn(part) || '[image: beside this message]'));
    const text = texts.join('\n');
    turn.toolResults.push({ toolUseId, content: [{ text: text === '' ? '(no output)' : text }], status: isError ? 'error' : 'success' });
  }

  /** The last turn, if it is the user's, else a new one. */
  private user(): UserTurn {
    const last = this.turns.at(-1);
    if (last?.role === 'user') return last;
    const turn: UserTurn = { role: 'user', content: [], images: [], toolResults: [] };
    this.turns.push(turn);
    return turn;
  }
}

function wireImage({ mimeType, data }: ImageContent): readonly JsonObject[] {
  const format = FORMATS[mimeType];
  return format === undefined ? [] : [{ format, source: { bytes: data } }];
}

/** What stands for an image that cannot be shown; empty for one that can. */
function noteOn({ mimeType }: ImageContent): string {
  return mimeType in FORMATS ? '' : `[image: ${mimeType}, not shown]`;
}
