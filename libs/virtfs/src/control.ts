import { commandHelp, giversOf, type CommandTable } from './command.js';
import { ControlHandle, type CommandRunner } from './control-handle.js';
import { IllegalFileInputError, InterruptedFileError } from './errors.js';
import { checkGrant } from './roles.js';
import type { Access, Call, Client, Command, FileBehaviour, FileHandle, FileSpec } from './types.js';
import { withNewline } from './utf8.js';
import { WriteFacts } from './write-facts.js';

export interface ControlOptions {
  readonly writeOnly?: boolean;
}

/**
 * Each line that is written is a command, run in order before the write returns. A command that fails
 * fails the write, stands as `error: <text>` in the answer, and stops none of the following. A piece
 * without newline is a command unless it may go on (a write of 4096 bytes or more): then a later write,
 * a read or a clunk ends it. What is read is the answers since the last read; before any write, the help.
 * Interrupting a write aborts its command, ends when that has, and skips the rest. Handles are independent.
 */
export function control<S>(about: string, commands: CommandTable<S>, options: ControlOptions = {}): FileSpec<S> {
  const usage = commandHelp(commands);
  const mode = options.writeOnly === true ? 0o220 : 0o660;
  return {
    kind: 'control',
    mode,
    about,
    usage,
    writers: giversOf(commands),
    bind: (s) => new ControlFile(s, commands, `${usage.join('\n')}\n`),
  };
}

class ControlFile<S> implements FileBehaviour, CommandRunner {
  private readonly uses = new WriteFacts();

  constructor(
    private readonly subject: S,
    private readonly commands: CommandTable<S>,
    readonly help: string,
  ) {}

  get version(): number {
    return this.uses.version;
  }

  facts() {
    return this.uses.facts();
  }

  open(_access: Access, client: Client): FileHandle {
    return new ControlHandle(this, client);
  }

  async execute(line: string, call: Call): Promise<string> {
    const [, word = '', argument = ''] = /^(\S*)\s*([^]*)$/.exec(line.trim()) ?? [];
    if (word === '') return '';
    this.uses.touch(call.client);
    const known = Object.hasOwn(this.commands, word) ? this.commands[word] : undefined;
    if (known) return this.run(known, argument, call);
    if (word === 'help') return this.help;
    throw new IllegalFileInputError('command', word);
  }

  private async run(known: Command<S>, argument: string, call: Call): Promise<string> {
    checkGrant(call.client, this.subject, known.givers);
    demandWanted(call);
    const answer = await known.run(this.subject, argument, call);
    demandWanted(call);
    return withNewline(answer ?? 'ok');
  }
}

function demandWanted({ signal }: Call): void {
  if (signal.aborted) throw new InterruptedFileError();
}
