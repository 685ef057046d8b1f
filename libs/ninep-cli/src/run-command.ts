import { installedVersion, messageOf, packageRoot } from '#config';
import { Client, NinepError, parseAddress } from '#ninep';
import { attachName } from './attach-name.js';
import { defaultAddress } from './default-address.js';
import { ClosedOutputError, CommandError, StreamError, UsageError } from './errors.js';
import { parseCommandLine, type CommandLine } from './parse-command-line.js';
import { secretFrom } from './secret-from.js';
import { report } from './report.js';
import { usageText, type HelpLine } from './usage.js';
import { verbs } from './verbs.js';
import type { World } from './world.js';

const OK = 0;
/** What a connection fails with when there is no server at the address. */
const UNANSWERED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EHOSTUNREACH']);

export interface Program {
  readonly name: string;
  /** Lines of help beside the common ones. */
  readonly more?: readonly HelpLine[];
}

/**
 * Runs one file command and gives its exit code: 0, 1 for a failure (reported as `name: path: text`), 2 for a wrong command line.
 * Output that nobody reads any more ends it quietly with 0. An abort flushes what is pending and throws the signal's reason.
 */
export async function runCommand(program: Program, argv: readonly string[], world: World, signal: AbortSignal): Promise<number> {
  try {
    const line = parseCommandLine(argv, verbs);
    if (line === 'help') await world.stdout.write(usageText(program.name, program.more));
    else if (line === 'version') await world.stdout.write(`${program.name} ${installedVersion(packageRoot())}\n`);
    else await runVerb(line, world, signal);
    return OK;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ClosedOutputError) return OK;
    return await report(program.name, error, world);
  }
}

async function runVerb(line: CommandLine, world: World, signal: AbortSignal): Promise<void> {
  const verb = verbs[line.verb];
  if (verb === undefined) throw new UsageError(`no such command: ${line.verb}`);
  const client = await dial(line, world, signal);
  try {
    await verb.run(client, { ...line, ...world }, signal);
  } catch (error) {
    throw atPath(line.path, error);
  } finally {
    client.close();
  }
}

async function dial(line: CommandLine, { env, uname, clientTag }: World, signal: AbortSignal): Promise<Client> {
  const options = {
    address: line.address === undefined ? defaultAddress(env) : parseAddress(line.address),
    uname: line.uname ?? uname,
    aname: attachName(line.aname, clientTag),
    ...(line.secretFile === undefined ? {} : { secret: secretFrom(line.secretFile) }),
  };
  try {
    return await Client.dial(options, signal);
  } catch (error) {
    if (!(error instanceof NinepError) || !UNANSWERED.has(error.posix)) throw error;
    throw new CommandError(`${error.message}: nobody answers there; start olliesrv, or name another server with -a`, { cause: error });
  }
}

/** What the server says does not name the file; a failed stream is not the file's. */
function atPath(path: string, error: unknown): unknown {
  const isOwn = [ClosedOutputError, StreamError, UsageError].some((kind) => error instanceof kind);
  return isOwn ? error : new CommandError(`${path}: ${messageOf(error)}`, { cause: error });
}
