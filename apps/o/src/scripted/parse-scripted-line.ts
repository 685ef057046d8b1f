import { basename } from 'node:path';
import { parseOptions, UsageError } from '#ninep-cli';

export const USAGE = `usage: o scripted serve --script [MODEL=]FILE... [--port N] [--host H]
         [--key K] [--no-strict] [--chunk bytes] [--seed N] [--log FILE]
Answers by scripts instead of a model, as the servers of OpenAI, Anthropic,
Gemini and Ollama do, all on one port, until it is ended by a signal. For tests
of whatever talks to a model: docs/guides/test-without-a-model.md has more.
  --script FILE  a YAML file; its name without .yaml is that of its model,
                 unless MODEL= stands before it. May be given again
  --port N       0, if not given: any free one
  --host H       an address to listen on instead of 127.0.0.1
  --key K        refuse requests without this key
  --strict       refuse what the provider refuses; this is so unless --no-strict
  --chunk bytes  send each byte of an answer by itself
  --seed N       cut answers at pseudo-random places, the same for the same N
  --log FILE     add each request as a line of JSON, without keys
Prints one line for each API: its name and the base URL for its clients.
Exit code: 0 ended by SIGINT or SIGTERM, 1 failed, 2 wrong command line.
`;

const OPTIONS = {
  script: { type: 'string', multiple: true },
  port: { type: 'string' },
  host: { type: 'string' },
  key: { type: 'string' },
  strict: { type: 'boolean' },
  'no-strict': { type: 'boolean' },
  chunk: { type: 'string' },
  seed: { type: 'string' },
  log: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

export interface ScriptedLine {
  /** Files by the names of their models. */
  readonly scripts: ReadonlyMap<string, string>;
  readonly port: number;
  readonly host: string;
  readonly key: string | undefined;
  readonly isStrict: boolean;
  readonly isBytewise: boolean;
  readonly seed: number | undefined;
  readonly logFile: string | undefined;
}

const MOST_PORT = 65_535;

/** `argv` is what follows `scripted`; `help` when usage is asked for. Throws UsageError. */
export function parseScriptedLine(argv: readonly string[]): ScriptedLine | 'help' {
  const { values, positionals } = parseOptions(argv, OPTIONS);
  if (values.help === true) return 'help';
  if (positionals.join(' ') !== 'serve') throw new UsageError(`scripted can serve, found: ${positionals.join(' ') || 'nothing'}`);
  if (values.key === '') throw new UsageError('--key is empty');
  return {
    scripts: scriptsIn(values.script ?? []),
    port: wholeNumber('--port', values.port, MOST_PORT) ?? 0,
    host: values.host ?? '127.0.0.1',
    key: values.key,
    isStrict: isStrict(values),
    isBytewise: isBytewise(values.chunk),
    seed: wholeNumber('--seed', values.seed, Number.MAX_SAFE_INTEGER),
    logFile: values.log,
  };
}

function isStrict({ strict, 'no-strict': lax }: { readonly strict?: boolean; readonly 'no-strict'?: boolean }): boolean {
  if (strict === true && lax === true) throw new UsageError('--strict and --no-strict cannot both be');
  return lax !== true;
}

function isBytewise(chunk: string | undefined): boolean {
  if (chunk !== undefined && chunk !== 'bytes') throw new UsageError(`--chunk may be bytes, found: ${chunk}`);
  return chunk === 'bytes';
}

function scriptsIn(given: readonly string[]): ReadonlyMap<string, string> {
  const scripts = new Map<string, string>();
  for (const one of given) {
    const [, model, file = one] = /^([^=/]+)=(.+)$/s.exec(one) ?? [];
    const name = model ?? basename(file).replace(/\.ya?ml$/, '');
    if (scripts.has(name)) throw new UsageError(`two scripts for the model ${name}`);
    scripts.set(name, file);
  }
  if (scripts.size === 0) throw new UsageError('which script? name one with --script');
  return scripts;
}

function wholeNumber(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Infinity;
  if (value > most) throw new UsageError(`${option} is a whole number${most === MOST_PORT ? ` up to ${most}` : ''}, found: ${text}`);
  return value;
}
