import {
  isJsonObject,
  type ImageContent,
  type JsonObject,
  type JsonValue,
  type Message,
  type ModelRequest,
  type ReplayBlock,
  type TextContent,
  type ToolCall,
  type ToolMessage,
} from '#model';
import { textField } from '../../../wire/json-fields.js';
import { objectsIn } from '../rules.js';
import { protoField } from './proto-field.js';

/** The body of a request for contents as a conversation. Calls without ids get ids by their places, results by those of their calls. */
export function parseContents(body: JsonObject, model: string): ModelRequest {
  return {
    model,
    system: textOf(objectAt(body, 'systemInstruction')),
    messages: new Contents(model).read(objectsIn(body.contents)),
    tools: objectsIn(body.tools).flatMap((tool) => objectsIn(protoField(tool, 'functionDeclarations')).map(readTool)),
    params: {},
  };
}

export function objectAt(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = protoField(object, name);
  return isJsonObject(value) ? value : undefined;
}

/** What the parts of one kind hold. */
export function insideParts(parts: JsonValue | undefined, kind: 'functionCall' | 'functionResponse'): readonly JsonObject[] {
  return objectsIn(parts).flatMap((part): readonly JsonObject[] => {
    const found = objectAt(part, kind);
    return found ? [found] : [];
  });
}

function textOf(content: JsonObject | undefined): string {
  return objectsIn(content?.parts)
    .map((part) => textField(part, 'text') ?? '')
    .join('\n');
}

function readTool(tool: JsonObject): ModelRequest['tools'][number] {
  const parameters = objectAt(tool, 'parametersJsonSchema') ?? objectAt(tool, 'parameters') ?? { type: 'object' };
  return { name: textField(tool, 'name') ?? '', description: textField(tool, 'description') ?? '', parameters };
}

class Contents {
  /** Of the last turn of the model, without results yet. */
  private open: readonly ToolCall[] = [];

  constructor(private readonly model: string) {}

  read(contents: readonly JsonObject[]): readonly Message[] {
    return contents.flatMap(({ role, parts }, index) =>
      role === 'model' ? [this.said(objectsIn(parts), index)] : this.asked(objectsIn(parts)),
    );
  }

  private said(parts: readonly JsonObject[], index: number): Message {
    const content = parts.flatMap((part) => this.kept(part));
    const calls = insideParts(parts, 'functionCall');
    this.open = calls.map((call, i) => readCall(call, `call_${index}_${i}`));
    return { role: 'assistant', content, toolCalls: this.open };
  }

  private kept(part: JsonObject): readonly (TextContent | ReplayBlock)[] {
    const signature = protoField(part, 'thoughtSignature');
    const isPlain = part.thought !== true && typeof part.text === 'string' && part.text !== '';
    return [
      ...(isPlain ? [{ type: 'text', text: textField(part, 'text') ?? '' } as const] : []),
      ...(signature === undefined ? [] : [{ type: 'replay', provider: 'gemini', model: this.model, data: signature } as const]),
    ];
  }

  private asked(parts: readonly JsonObject[]): readonly Message[] {
    const results = insideParts(parts, 'functionResponse').map((response) => this.result(response));
    const content = parts.flatMap(readPart);
    return content.length > 0 || results.length === 0 ? [...results, { role: 'user', content }] : results;
  }

  private result(response: JsonObject): ToolMessage {
    const [id, toolName] = [textField(response, 'id'), textField(response, 'name') ?? ''];
    const call = this.open.find((one) => (id === undefined ? one.name === toolName : one.id === id));
    this.open = this.open.filter((one) => one !== call);
    const said = objectAt(response, 'response') ?? {};
    return {
      role: 'tool',
      toolCallId: call?.id ?? id ?? '',
      toolName,
      content: [
        { type: 'text', text: plain(said.output ?? said.error ?? said.result ?? said) },
        ...objectsIn(response.parts).flatMap(readPart),
      ],
      isError: said.error !== undefined,
    };
  }
}

function plain(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readCall(call: JsonObject, otherwise: string): ToolCall {
  const args = objectAt(call, 'args') ?? {};
  return {
    id: textField(call, 'id') ?? otherwise,
    name: textField(call, 'name') ?? '',
    arguments: args,
    rawArguments: JSON.stringify(args),
  };
}

function readPart(part: JsonObject): readonly (TextContent | ImageContent)[] {
  const data = objectAt(part, 'inlineData');
  if (data)
    return [
      {
        type: 'image',
        mimeType: textField({ ...data, mimeType: protoField(data, 'mimeType') ?? '' }, 'mimeType') ?? '',
        data: textField(data, 'data') ?? '',
      },
    ];
  return typeof part.text === 'string' ? [{ type: 'text', text: textField(part, 'text') ?? '' }] : [];
}
