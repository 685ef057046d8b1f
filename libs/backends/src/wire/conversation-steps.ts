import type { AssistantMessage, Message, ToolCall, ToolContent, ToolMessage, UserMessage } from '#model';

/** What came of a call. */
export interface CallResult {
  readonly call: ToolCall;
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
}

/** A message, and with a model's own the results of its calls: exactly one for each, in the order of the calls. */
export type ConversationStep =
  | { readonly role: 'user'; readonly content: UserMessage['content'] }
  | { readonly role: 'assistant'; readonly message: AssistantMessage; readonly results: readonly CallResult[] };

/** A conversation as providers want it: a call that nobody answered gets an error, a result that nobody called for is told as text. */
export function conversationSteps(messages: readonly Message[]): readonly ConversationStep[] {
  const first = resultsAt(messages, 0).map(told);
  return [...first, ...messages.flatMap((message, at) => (message.role === 'tool' ? [] : stepsOf(message, resultsAt(messages, at + 1))))];
}

function resultsAt(messages: readonly Message[], start: number): readonly ToolMessage[] {
  const results: ToolMessage[] = [];
  for (let at = start; ; at += 1) {
    const message = messages[at];
    if (message?.role !== 'tool') return results;
    results.push(message);
  }
}

function stepsOf(message: UserMessage | AssistantMessage, results: readonly ToolMessage[]): readonly ConversationStep[] {
  const calls = message.role === 'assistant' ? message.toolCalls : [];
  const answers = calls.map(({ id }) => results.find(({ toolCallId }) => toolCallId === id));
  const strays = results.filter((result) => !answers.includes(result)).map(told);
  if (message.role === 'user') return [message, ...strays];
  return [{ role: 'assistant', message, results: calls.map((call, at) => resultOf(call, answers[at])) }, ...strays];
}

function resultOf(call: ToolCall, answer: ToolMessage | undefined): CallResult {
  if (answer) return { call, content: answer.content, isError: answer.isError };
  return { call, content: [{ type: 'text', text: '(the call was not run)' }], isError: true };
}

function told({ toolName, content }: ToolMessage): ConversationStep {
  return { role: 'user', content: [{ type: 'text', text: `Result of an earlier call of ${toolName}:` }, ...content] };
}
