import type { JsonObject, Message, ModelRequest, ToolCall, ToolMessage, UserMessage } from '#model';
import { listField, numberField, objectField, textField } from '../../../wire/json-fields.js';
import { objectsIn } from '../rules.js';

/** The body of a chat as a conversation. Calls mostly have no ids: they get some by their places, and results those of their calls. */
export function parseOllama(body: JsonObject): ModelRequest {
  const messages = objectsIn(body.messages);
  return {
    model: (textField(body, 'model') ?? '').replace(/:latest$/, ''),
    system: messages
      .filter(({ role }) => role === 'system')
      .map((message) => textField(message, 'content') ?? '')
      .join('\n'),
    messages: new Chat().read(messages.filter(({ role }) => role !== 'system')),
    tools: objectsIn(body.tools).map(readTool),
    params: {},
  };
}

/** The tokens that fit: what the request asks for, and no more than there is; undefined when nobody says. */
export function windowOf(body: JsonObject, contextLength: number | undefined): number | undefined {
  const asked = numberField(objectField(body, 'options'), 'num_ctx');
  return asked === undefined || contextLength === undefined ? (asked ?? contextLength) : Math.min(asked, contextLength);
}

function readTool(tool: JsonObject): ModelRequest['tools'][number] {
  const fn = objectField(tool, 'function');
  return {
    name: textField(fn, 'name') ?? '',
    description: textField(fn, 'description') ?? '',
    parameters: objectField(fn, 'parameters') ?? { type: 'object' },
  };
}

class Chat {
  private open: readonly ToolCall[] = [];

  read(messages: readonly JsonObject[]): readonly Message[] {
    return messages.map((message, index) => this.message(message, index));
  }

  private message(message: JsonObject, index: number): Message {
    if (message.role === 'tool') return this.result(message);
    if (message.role !== 'assistant') return user(message);
    this.open = objectsIn(message.tool_calls).map((call, i) => readCall(call, `call_${index}_${i}`));
    const text = textField(message, 'content') ?? '';
    return { role: 'assistant', content: text === '' ? [] : [{ type: 'text', text }], toolCalls: this.open };
  }

  private result(message: JsonObject): ToolMessage {
    const [id, name] = [textField(message, 'tool_call_id'), textField(message, 'tool_name') ?? textField(message, 'name')];
    const call = this.open.find((one) => (id === undefined ? name === undefined || one.name === name : one.id === id));
    this.open = this.open.filter((one) => one !== call);
    const text = textField(message, 'content') ?? '';
    return {
      role: 'tool',
      toolCallId: call?.id ?? id ?? '',
      toolName: name ?? call?.name ?? '',
      content: [{ type: 'text', text }],
      isError: /^(error|execution failed)\b/i.test(text),
    };
  }
}

/** The kind of an image is not said; nobody asks for it. */
function user(message: JsonObject): UserMessage {
  const images = listField(message, 'images').map((data) => ({
    type: 'image' as const,
    mimeType: 'image/png',
    data: typeof data === 'string' ? data : '',
  }));
  const text = textField(message, 'content') ?? '';
  return { role: 'user', content: [...(text === '' && images.length > 0 ? [] : [{ type: 'text' as const, text }]), ...images] };
}

function readCall(call: JsonObject, otherwise: string): ToolCall {
  const fn = objectField(call, 'function');
  const args = objectField(fn, 'arguments') ?? {};
  return { id: textField(call, 'id') ?? otherwise, name: textField(fn, 'name') ?? '', arguments: args, rawArguments: JSON.stringify(args) };
}
