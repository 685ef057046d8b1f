import type { Call, Programs, Shell } from '../shell/shell.js';
import { globMatches } from '../words/glob.js';
import { crontabHandlers } from './crontab-program.js';
import { downloadHandlers } from './download-programs.js';
import { fileHandlers } from './file-programs.js';
import { findHandlers } from './find-programs.js';
import { gitHandlers } from './git-program.js';
import { interpreterHandlers, reportSource } from './interpreter-programs.js';
import { processFilters, processHandlers } from './process-programs.js';
import { filtered, parseCall, type ProgramData, type ProgramHandler } from './program-tools.js';
import { textHandlers } from './text-programs.js';
import { runWrapped, wrapperHandlers } from './wrapper-programs.js';

const edits: ProgramHandler = (call) =>
  call.args.some((word) => /^-[a-zA-Z0]*i/.test(word)) ? handle('sed-like', call) : handle('interpreter', call);

const handlers = new Map<string, ProgramHandler>(
  Object.entries({
    ...textHandlers,
    ...processFilters,
    ...processHandlers,
    ...downloadHandlers,
    ...interpreterHandlers,
    ...findHandlers,
    ...fileHandlers,
    ...wrapperHandlers,
    ...gitHandlers,
    ...crontabHandlers,
    perl: edits,
    ruby: edits,
  }),
);

const WILD = /[\ue000-\ue002]/;
const MAX_MEANT = 6;

function handle(kind: 'sed-like' | 'interpreter', call: Parameters<ProgramHandler>[0]): string {
  const handler = kind === 'sed-like' ? fileHandlers.perl : interpreterHandlers.perl;
  return handler === undefined ? filtered(call) : handler(call);
}

/** The programs that the guard knows, by name. Of any other it sees options and operands, and takes it for a filter. */
export class ProgramTable implements Programs {
  constructor(private readonly data: ProgramData) {}

  /** A name with wildcards (`/bin/r?`) is taken for each known program that it may mean. */
  run(call: Call): string {
    if (!WILD.test(call.name)) return this.runNamed(call);
    call.shell.report({ effect: 'run', attributes: { program: call.name } });
    const meant = [...handlers.keys(), ...this.data.wrappers.keys()].filter((name) => globMatches(call.name, name));
    return meant.length > MAX_MEANT ? '' : meant.map((name) => this.runNamed({ ...call, name })).join('');
  }

  private runNamed(call: Call): string {
    const parsed = parseCall(call, this.data);
    const { given, operands } = parsed.options;
    call.shell.report({
      effect: 'run',
      attributes: { program: call.name },
      options: new Set(given.keys()),
      operands,
      resolve: (path) => call.shell.resolve(path),
    });
    const wrapper = this.data.wrappers.get(call.name);
    if (wrapper !== undefined) return runWrapped(parsed, wrapper);
    return (handlers.get(call.name) ?? filtered)(parsed);
  }

  runFile(call: Call, content: string): string {
    reportSource(call.shell, content);
    const foreign = /^#!.*\b(?!env\b)(?:python|node|perl|ruby|php)/.test(content);
    return foreign ? '' : call.shell.program(content, { stdin: call.stdin, positional: call.args });
  }

  reportSource(shell: Shell, code: string): void {
    reportSource(shell, code);
  }
}
