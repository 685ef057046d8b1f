import { abortable, type Backend, BackendError, type ModelRequest, userText } from '#model';
import { CommandError, isClosedOutput, report, UsageError, type World } from '#ninep-cli';
import { ask } from './gen/ask.js';
import { chosenBackend } from './gen/chosen-backend.js';
import { JsonReport } from './gen/json-report.js';
import { listModels, listModelsAsJson } from './gen/list-models.js';
import { parseGenLine, USAGE, type GenLine } from './gen/parse-gen-line.js';
import { TextReport } from './gen/text-report.js';
import { readTools } from './gen/tools-file.js';

const OK = 0;

/** `o gen`: gives the exit code. `argv` is what follows the word. Throws the signal's reason when that came. */
export async function gen(argv: readonly string[], world: World, signal: AbortSignal): Promise<number> {
  try {
    const line = parseGenLine(argv);
    if (line === 'help') await world.stdout.write(USAGE);
    else await run(line, world, signal);
    return OK;
  } catch (error) {
    signal.throwIfAborted();
    if (isClosedOutput(error)) return OK;
    return await report('o gen', error instanceof BackendError ? withKind(error) : error, world);
  }
}

async function run(line: GenLine, world: World, signal: AbortSignal): Promise<void> {
  const backend = chosenBackend(line, world.env);
  if (line.wants === 'models')
    return line.jsonl ? await listModelsAsJson(backend, line.model, world.stdout, signal) : await listModels(backend, world.stdout, signal);
  const request = await requestOf(line, backend, world, signal);
  const answer = line.jsonl ? new JsonReport(world) : new TextReport(world);
  await ask({ backend, request, abortAfterText: line.settings.abortAfterText }, answer, signal);
}

async function requestOf(line: GenLine, backend: Backend, world: World, signal: AbortSignal): Promise<ModelRequest> {
  const model = line.model ?? backend.defaultModel;
  if (model === undefined) throw new UsageError(`which model of ${backend.name}? name one with --model or OLLIE_MODEL`);
  const tools = line.toolsFile === undefined ? [] : readTools(line.toolsFile);
  const prompt = line.prompt ?? (await abortable(textOf(world.stdin()), signal));
  if (prompt.trim() === '') throw new UsageError('the prompt is empty');
  return { model, system: '', messages: [userText(prompt)], tools, params: line.settings.params };
}

async function textOf(input: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of input) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** One line that tells people and scripts what kind of failure it is, and whether to try again. */
function withKind({ name, message, retryable, failure: { kind, retryAfterMs } }: BackendError): CommandError {
  const facts = [name, ...(kind === undefined ? [] : [kind]), ...(retryable ? ['may be sent again'] : [])];
  const wait = retryAfterMs === undefined ? '' : ` after ${retryAfterMs} ms`;
  return new CommandError(`${message} (${facts.join(', ')}${wait})`);
}
