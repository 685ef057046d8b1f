import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { Command, Option } from 'nest-commander';
import { ensureEnvironment, errnoOf, Paths } from '#config';
import type { GuardContext, Permissions, Verdict } from '#guard';
import { Subcommand } from '#lifecycle';
import { parseGuardLine } from './parse-guard-line.js';
import { ServerWorld } from './server-world.js';
import { describeVerdict, verdictFields } from './verdict-text.js';

interface GuardFlags {
  readonly json?: boolean;
  readonly cwd?: string;
}

@Command({
  name: 'guard',
  arguments: '[command]',
  description: 'say what the guard and the permission rules think of a command, or of each command on standard input',
})
export class GuardCommand extends Subcommand {
  constructor(private readonly world: ServerWorld) {
    super();
  }

  @Option({ flags: '--json', description: 'print {"verdict","rule","span","why"} instead of text' })
  json(): boolean {
    return true;
  }

  @Option({ flags: '--cwd <path>', description: 'where the command would run (default: here); need not exist' })
  cwd(path: string): string {
    return path;
  }

  /** Ends with 0 whatever the verdicts are: they are the output. A reader that has gone wants no more of it. */
  async run([command]: string[], flags: GuardFlags): Promise<void> {
    process.stdout.on('error', () => undefined); // each write reports its own failure
    try {
      await this.judge(command, flags);
    } catch (error) {
      if (errnoOf(error) !== 'EPIPE') throw error;
    }
  }

  private async judge(command: string | undefined, flags: GuardFlags): Promise<void> {
    const { Permissions: Rules } = await import('#guard');
    const paths = Paths.from(ensureEnvironment(this.world.env));
    const bench = { permissions: await Rules.load(paths), context: { cwd: resolve(this.world.cwd, flags.cwd ?? '.'), home: paths.home } };
    if (command === undefined) await judgeLines(bench);
    else {
      const verdict = await judge(command, bench);
      await print(flags.json === true ? JSON.stringify(verdictFields(verdict)) : describeVerdict(command, verdict));
    }
  }
}

interface Bench {
  readonly permissions: Permissions;
  readonly context: GuardContext;
}

/** The verdict on a command that the shell tool is called with. */
function judge(command: string, { permissions, context }: Bench): Promise<Verdict> {
  return permissions.judge({ tool: 'shell', args: { cmd: command } }, context);
}

/** Answers each line as soon as it is there. A line that cannot be used gets an answer that names it. */
async function judgeLines(bench: Bench): Promise<void> {
  let number = 0;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === '') continue;
    const parsed = parseGuardLine(line);
    await print(
      JSON.stringify(
        typeof parsed === 'string'
          ? { line: number, error: parsed }
          : { id: parsed.id, ...verdictFields(await judge(parsed.command, bench)) },
      ),
    );
  }
}

/** Waits until the text is written. */
async function print(text: string): Promise<void> {
  await new Promise<void>((done, fail) => process.stdout.write(`${text}\n`, (error) => (error ? fail(error) : done())));
}
