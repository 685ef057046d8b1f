import type { Message, ToolMessage } from '#model';

/** What the conditions of a script look at: the conversation as it stands before a reply. */
export interface Situation {
  /** The last text of the last user message: before it stand prompts that got no answer. */
  readonly lastUser: string;
  /** Results since the last reply; empty right after a user message. */
  readonly results: readonly ToolResultSeen[];
  readonly turn: number;
  readonly n: number;
}

export interface ToolResultSeen {
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
}

export const START: Situation = { lastUser: '', results: [], turn: 0, n: 1 };

/** The situation after one more message. */
export function after(situation: Situation, message: Message): Situation {
  switch (message.role) {
    case 'user':
      return {
        lastUser: textOf(message.content.filter(({ type }) => type === 'text').slice(-1)),
        results: [],
        turn: situation.turn + 1,
        n: 1,
      };
    case 'assistant':
      return { ...situation, results: [], n: situation.n + 1 };
    case 'tool':
      return { ...situation, results: [...situation.results, seen(message)] };
  }
}

function seen({ toolName, content, isError }: ToolMessage): ToolResultSeen {
  return { name: toolName, ok: !isError, text: textOf(content) };
}

function textOf(content: ToolMessage['content']): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
