import { ask, ByteLog, command, control, data, DataBuffer, dir, message, mount, output, stream, text, ValueCell, wait } from '#virtfs';
import type { TreeNode } from '#virtfs';

/** What stands behind the files that transcripts of stock clients use: one of each kind. */
class Kinds {
  readonly plan = new DataBuffer(1024 * 1024);
  readonly state = new ValueCell('idle');
  readonly chat = new ByteLog();
  prompts = '';

  constructor() {
    this.plan.replace('- [ ] one\n', '');
    this.chat.append('hello\n');
  }

  /** Keeps what was said, one prompt a line with its length, so that a transcript can read what arrived. */
  hear(prompt: string): void {
    this.prompts += `${prompt.length} ${prompt.slice(0, 20).trim()}\n`;
  }
}

const namespace = dir<Kinds>({
  motto: text('Fixed text', () => 'everything is a file\n'),
  plan: data('Bytes in place', (k) => k.plan),
  prompt: message('Says something', (k, prompt) => k.hear(prompt)),
  prompts: text('What was said', (k) => k.prompts),
  shout: ask('Says it louder', (_k, request) => `${request.trim().toUpperCase()}\n`),
  ctl: control('Commands', {
    set: command<Kinds>('set the state', (k, state) => k.state.set(state), '<state>'),
    say: command<Kinds>('say in the chat', (k, line) => k.chat.append(`${line}\n`), '<text>'),
    hold: command<Kinds>('keep the chat open', (k) => k.chat.hold()),
    release: command<Kinds>('end the chat', (k) => k.chat.release()),
  }),
  statewait: wait('The state', (k) => k.state),
  chat: stream('The chat', (k) => k.chat),
  log: output('The chat so far', (k) => k.chat),
});

export function kindsTree(): TreeNode {
  return mount(namespace, new Kinds());
}
