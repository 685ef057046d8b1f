import type { AgentRole } from '#model';
import type { BlockAttributes } from './emit.js';
import { attributeText } from './markup.js';
import type { Block } from './parse-markup.js';

const MAX_ARGUMENTS = 200;
/** UTF-16 units that surely hold more characters than are shown. */
const ENOUGH_UNITS = 2 * MAX_ARGUMENTS + 1;

/** How one block shows in `chat`: each call returns what to append. */
export interface PlainBlock {
  begin(): string;
  delta(text: string): string;
  end(): string;
}

const prefixed = (prefix: string) => () => new Prefixed(prefix);
const nameOf = (attributes: BlockAttributes) => attributeText(attributes.name ?? '');

const FORMS: Readonly<Record<AgentRole, ((attributes: BlockAttributes) => PlainBlock | undefined) | undefined>> = {
  user: prefixed('user: '),
  assistant: prefixed(''),
  call: (attributes) => new CallLine(nameOf(attributes)),
  tool: (attributes) => (attributes.live === true ? undefined : new ResultLine(nameOf(attributes), attributes.error === true)),
  error: prefixed('error: '),
  info: prefixed(':: '),
  retry: prefixed(':: '),
  limitretry: prefixed(':: '),
  maxsteps: prefixed(':: '),
  reasoning: undefined,
  usage: undefined,
  state: undefined,
};

/** The form of a block in `chat`; undefined for one that does not show. */
export function plainBlock(role: AgentRole, attributes: BlockAttributes): PlainBlock | undefined {
  return FORMS[role]?.(attributes);
}

/** What `chat` says of a block of chat.raw. */
export function plainText({ role, attributes, content }: Block): string {
  if (!isRole(role)) return '';
  const form = plainBlock(role, { ...attributes, live: attributes.live === 'true', error: attributes.error === 'true' });
  return form ? form.begin() + (content === '' ? '' : form.delta(content)) + form.end() : '';
}

function isRole(role: string): role is AgentRole {
  return Object.hasOwn(FORMS, role);
}

class Prefixed implements PlainBlock {
  private atLineStart: boolean;

  constructor(private readonly prefix: string) {
    this.atLineStart = prefix === '';
  }

  begin(): string {
    return this.prefix;
  }

  delta(text: string): string {
    this.atLineStart = text.endsWith('\n');
    return text;
  }

  end(): string {
    return this.atLineStart ? '' : '\n';
  }
}

class CallLine implements PlainBlock {
  private text = '';

  constructor(private readonly name: string) {}

  begin(): string {
    return '';
  }

  delta(text: string): string {
    this.text += text;
    return '';
  }

  end(): string {
    return `-> ${this.name}(${oneLine(this.text)})\n`;
  }
}

class ResultLine implements PlainBlock {
  private newlines = 0;
  private atLineStart = true;

  constructor(
    private readonly name: string,
    private readonly isError: boolean,
  ) {}

  begin(): string {
    return '';
  }

  delta(text: string): string {
    this.newlines += text.split('\n').length - 1;
    this.atLineStart = text.endsWith('\n');
    return '';
  }

  end(): string {
    const lines = this.newlines + (this.atLineStart ? 0 : 1);
    return `<- ${this.name} ${lines} lines${this.isError ? ' error' : ''}\n`;
  }
}

function oneLine(text: string): string {
  let line = '';
  for (const [word] of text.matchAll(/\S+/g)) {
    line += (line === '' ? '' : ' ') + word.slice(0, ENOUGH_UNITS);
    if (line.length >= ENOUGH_UNITS) break;
  }
  const characters = Array.from(line);
  return characters.length > MAX_ARGUMENTS ? `${characters.slice(0, MAX_ARGUMENTS - 1).join('')}…` : characters.join('');
}
