import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Command } from 'nest-commander';
import { ensureEnvironment, errnoOf, messageOf, Paths } from '#config';
import { Subcommand } from '#lifecycle';
import { World } from './world.js';

/** Takes the options of `serve` and hands them on unread. */
@Command({
  name: 'start',
  description: 'serve in the background (options as for serve)',
  arguments: '[options...]',
  allowUnknownOptions: true,
})
export class StartCommand extends Subcommand {
  constructor(private readonly world: World) {
    super();
  }

  /** Resolves when the server in the background accepts clients, or has failed: then its words and its exit code are ours. */
  async run(args: string[]): Promise<void> {
    const logFile = this.logFile();
    const said = statSync(logFile).size;
    const log = openSync(logFile, 'a');
    const serve = [...process.execArgv, this.world.script, 'serve', ...args];
    const child = spawn(process.execPath, serve, { detached: true, stdio: ['ignore', 'pipe', log] });
    closeSync(log);
    const ready = child.stdout && (await firstLine(child.stdout));
    if (ready) process.stdout.write(`${ready} with pid ${String(child.pid)}\n`);
    else await this.fail(child, readFileSync(logFile, 'utf8').slice(said));
    child.unref();
  }

  private async fail(child: ChildProcess, words: string): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    process.stderr.write(words);
    process.exitCode = child.exitCode ?? 1;
  }

  /** In the data directory: what a server without a terminal has to say. */
  private logFile(): string {
    const { data } = Paths.from(ensureEnvironment(this.world.environment));
    const file = join(data, 'olliesrv.log');
    try {
      mkdirSync(data, { recursive: true, mode: 0o700 });
      closeSync(openSync(file, 'a', 0o600));
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      throw new Error(`cannot write the log ${file}: ${messageOf(error)}; set OLLIE_DATA_PATH, or use: olliesrv serve`, { cause: error });
    }
    return file;
  }
}

/** Undefined when the stream ends without one. Nothing is read after it. */
async function firstLine(stream: Readable): Promise<string | undefined> {
  for await (const line of createInterface({ input: stream })) {
    stream.destroy();
    return line;
  }
  return undefined;
}
