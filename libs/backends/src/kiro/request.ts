import { randomUUID } from 'node:crypto';
import type { JsonObject, ModelRequest, ToolSchema } from '#model';
import { wellFormedObject } from '../wire/well-formed.js';
import { Turns, type Turn } from './turns.js';
import type { KiroOptions } from './options.js';

/**
 * The body of a conversation; holds only well-formed Unicode. There is no place for a system prompt but the first message,
 * and none for parameters.
 */
export function conversationBody(request: ModelRequest, { name, origin }: KiroOptions): JsonObject {
  const { model: modelId, system, tools, conversation } = request;
  const turns = Turns.of(request, name).finish(system);
  const own = { modelId, ...(origin === undefined ? {} : { origin }) };
  const wire = turns.map((turn, at) => wireTurn(turn, own, at === turns.length - 1 ? tools : []));
  return wellFormedObject({
    conversationState: {
      conversationId: conversation ?? randomUUID(),
      chatTriggerType: 'MANUAL',
      agentTaskType: 'vibe',
      currentMessage: wire.at(-1) ?? {},
      history: wire.slice(0, -1),
    },
  });
}

function wireTurn(turn: Turn, own: JsonObject, tools: readonly ToolSchema[]): JsonObject {
  if (turn.role === 'assistant') {
    const { content, toolUses, reasoning } = turn;
    return {
      assistantResponseMessage: {
        content,
        ...(toolUses.length > 0 ? { toolUses } : {}),
        ...(reasoning === undefined ? {} : { reasoningContent: reasoning }),
      },
    };
  }
  const { content, images, toolResults } = turn;
  const context = {
    ...(toolResults.length > 0 ? { toolResults } : {}),
    ...(tools.length > 0 ? { tools: tools.map(wireTool) } : {}),
  };
  return {
    userInputMessage: {
      content: content.join('\n\n'),
      ...own,
      ...(images.length > 0 ? { images } : {}),
      ...(Object.keys(context).length > 0 ? { userInputMessageContext: context } : {}),
    },
  };
}

function wireTool({ name, description, parameters }: ToolSchema): JsonObject {
  return {
    toolSpecification: {
      name,
      description: description.trim() === '' ? name : description,
      inputSchema: { json: { type: 'object', ...parameters } },
    },
  };
}
