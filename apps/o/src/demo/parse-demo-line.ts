import { BACKEND_NAMES } from '#model';
import { parseOptions, UsageError } from '#ninep-cli';

const NAMES_A_LINE = 4;
const INDENT = ' '.repeat(17);

export const USAGE = `usage: o demo
An agent repairs a small broken project in a folder of its own, in the sandbox,
while you watch; nothing is left behind. Exit code 0 when the project's test
failed before and passes after, else 1.
Without a setting a script answers instead of a model. For a real one:
  OLLIE_BACKEND  ${namesInLines()}
  OLLIE_MODEL    the name of the model
  OLLIE_OLLAMA_URL
                 where ollama answers, if not on this machine
  OLLIE_OPENAI_URL, OLLIE_OPENAI_KEY
                 where openai answers, and the key if it wants one
  OLLIE_ANTHROPIC_KEY
                 the key of anthropic
  OLLIE_GEMINI_KEY
                 the key of gemini
  OLLIE_COPILOT_TOKEN, OLLIE_COPILOT_HEADERS
                 the token of copilot, and the headers that it wants
`;

const OPTIONS = { help: { type: 'boolean', short: 'h' } } as const;

/** `argv` is what follows `demo`. Throws UsageError. */
export function parseDemoLine(argv: readonly string[]): 'help' | 'run' {
  const { values, positionals } = parseOptions(argv, OPTIONS);
  if (values.help === true) return 'help';
  if (positionals.length > 0) throw new UsageError(`demo takes nothing, found: ${positionals.join(' ')}`);
  return 'run';
}

/** All backends, as the help has room for them. */
function namesInLines(): string {
  const lines = BACKEND_NAMES.flatMap((_name, i) => (i % NAMES_A_LINE === 0 ? [BACKEND_NAMES.slice(i, i + NAMES_A_LINE).join(', ')] : []));
  return lines.join(`,\n${INDENT}`);
}
