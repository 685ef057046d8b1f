import { dialectNames } from '#backends';
import { BACKEND_NAMES } from '#model';
import { parseOptions, UsageError } from '#ninep-cli';
import { parseSettings, type GenSettings } from './gen-settings.js';

const COLUMN = 60;

export const USAGE = `usage: o gen [--backend B] [--url U] [--model M] [--tools FILE]
             [--set KEY=VALUE]... [--jsonl] [PROMPT]
       o gen [--backend B] [--url U] [--jsonl] --models
Sends one request to a model, without a server in between, and writes the
answer as it comes. Without PROMPT, or with -, it is read from standard input.
  --backend B      one that is configured, a kind or a dialect:
${inLines([...new Set([...BACKEND_NAMES, ...dialectNames])])}
  --url U          where it answers; nothing need be configured then. The key
                   is taken from the environment, as OLLIE_OPENAI_KEY
  --model M        instead of OLLIE_MODEL
  --tools FILE     a JSON array of {"name", "description", "parameters"}
  --set KEY=VALUE  temperature, maxTokens and whatever else cfg takes; dialect,
                   idle_timeout_ms, progress_timeout_ms, abort_after_text=true
  --jsonl          one line of JSON for each event, and a last one for them all
  --models         the models that there are instead
Calls of tools are shown, and not run. Exit code: 0 done, 1 failed, 2 wrong
command line, 130 ended by SIGINT.
`;

/** In the right column, which ends at 80. */
function inLines(names: readonly string[]): string {
  const lines = names.reduce<readonly string[]>((done, name) => {
    const last = done.at(-1) ?? '';
    return done.length > 0 && `${last} ${name}`.length <= COLUMN ? [...done.slice(0, -1), `${last} ${name}`] : [...done, name];
  }, []);
  return lines.map((line) => `${' '.repeat(19)}${line}`).join('\n');
}

const OPTIONS = {
  backend: { type: 'string' },
  url: { type: 'string' },
  model: { type: 'string' },
  tools: { type: 'string' },
  set: { type: 'string', multiple: true },
  models: { type: 'boolean' },
  jsonl: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export interface GenLine {
  readonly backend: string | undefined;
  readonly url: string | undefined;
  readonly model: string | undefined;
  readonly toolsFile: string | undefined;
  readonly settings: GenSettings;
  readonly wants: 'answer' | 'models';
  readonly jsonl: boolean;
  /** Undefined = standard input. */
  readonly prompt: string | undefined;
}

/** `argv` is what follows `gen`; `help` when usage is asked for. Throws UsageError. */
export function parseGenLine(argv: readonly string[]): GenLine | 'help' {
  const { values, positionals } = parseOptions(argv, OPTIONS);
  if (values.help === true) return 'help';
  const [prompt = '-', ...more] = positionals;
  if (more.length > 0) throw new UsageError(`one prompt is enough, found more: ${more.join(' ')}`);
  if (values.models === true && positionals.length > 0) throw new UsageError('--models takes no prompt');
  return {
    backend: values.backend,
    url: values.url,
    model: values.model,
    toolsFile: values.tools,
    settings: parseSettings(values.set ?? []),
    wants: values.models === true ? 'models' : 'answer',
    jsonl: values.jsonl ?? false,
    prompt: prompt === '-' ? undefined : prompt,
  };
}
