import type {
  AssistantMessage,
  ImageContent,
  JsonObject,
  JsonValue,
  Message,
  ModelRequest,
  ReplayBlock,
  TextContent,
  ToolCall,
  ToolMessage,
  ToolSchema,
} from '#model';
import { objectField, textField } from '../../../wire/json-fields.js';
import { objectsIn } from '../rules.js';

/** The body of a message request as a conversation. What strict mode would refuse is taken as well as it can be. */
export function parseMessages(body: JsonObject): ModelRequest {
  const messages = objectsIn(body.messages);
  const model = textField(body, 'model') ?? '';
  const names = callNames(messages);
  const later = messages.filter(isSystem).map(({ content }) => textOf(content));
  return {
    model,
    system: [textOf(body.system), ...later].filter(Boolean).join('\n'),
    messages: messages.filter((message) => !isSystem(message)).flatMap((message) => readMessage(message, names, model)),
    tools: objectsIn(body.tools).flatMap(readTool),
    params: {},
  };
}

function isSystem({ role }: JsonObject): boolean {
  return role === 'system';
}

function readMessage({ role, content }: JsonObject, names: ReadonlyMap<string, string>, model: string): readonly Message[] {
  const blocks = blocksOf(content);
  if (role === 'assistant') return [assistant(blocks, model)];
  const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => result(block, names));
  const said = blocks.flatMap(readContent);
  return said.length > 0 || results.length === 0 ? [...results, { role: 'user', content: said }] : results;
}

export function blocksOf(content: JsonValue | undefined): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsIn(content);
}

function assistant(blocks: readonly JsonObject[], model: string): AssistantMessage {
  const content = blocks.flatMap((block): readonly (TextContent | ReplayBlock)[] => {
    if (block.type === 'text') return [{ type: 'text', text: textField(block, 'text') ?? '' }];
    const isThinking = block.type === 'thinking' || block.type === 'redacted_thinking';
    return isThinking ? [{ type: 'replay', provider: 'anthropic', model, data: block }] : [];
  });
  return { role: 'assistant', content, toolCalls: blocks.filter(({ type }) => type === 'tool_use').map(readCall) };
}

function readCall(block: JsonObject): ToolCall {
  const input = objectField(block, 'input') ?? {};
  return { id: textField(block, 'id') ?? '', name: textField(block, 'name') ?? '', arguments: input, rawArguments: JSON.stringify(input) };
}

function result(block: JsonObject, names: ReadonlyMap<string, string>): ToolMessage {
  const toolCallId = textField(block, 'tool_use_id') ?? '';
  return {
    role: 'tool',
    toolCallId,
    toolName: names.get(toolCallId) ?? '',
    content: blocksOf(block.content).flatMap(readContent),
    isError: block.is_error === true,
  };
}

function readContent(block: JsonObject): readonly (TextContent | ImageContent)[] {
  if (block.type === 'text') return [{ type: 'text', text: textField(block, 'text') ?? '' }];
  if (block.type !== 'image') return [];
  const source = objectField(block, 'source');
  return [{ type: 'image', mimeType: textField(source, 'media_type') ?? '', data: textField(source, 'data') ?? '' }];
}

function textOf(content: JsonValue | undefined): string {
  return blocksOf(content)
    .map((block) => textField(block, 'text') ?? '')
    .join('\n');
}

function callNames(messages: readonly JsonObject[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap(({ content }) => blocksOf(content)).filter(({ type }) => type === 'tool_use');
  return new Map(calls.map((call) => [textField(call, 'id') ?? '', textField(call, 'name') ?? '']));
}

/** Tools that the server runs itself have no schema. */
function readTool(tool: JsonObject): readonly ToolSchema[] {
  const schema = objectField(tool, 'input_schema');
  const name = textField(tool, 'name');
  return schema && name !== undefined ? [{ name, description: textField(tool, 'description') ?? '', parameters: schema }] : [];
}
