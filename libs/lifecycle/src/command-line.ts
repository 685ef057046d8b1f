import type { DynamicModule, Type } from '@nestjs/common';
import { CommandFactory } from 'nest-commander';
import { installedVersion, packageRoot } from '#config';
import { commandEnd, type Advice } from './command-end.js';
import { throwUsageError } from './parser-error.js';

/** Runs the command line whose subcommands `module` provides. An error becomes one line on stderr and the process's exit code. */
export async function runCommandLine(program: string, module: Type | DynamicModule, advice: Advice): Promise<void> {
  await CommandFactory.run(module, {
    logger: false,
    cliName: program,
    version: `${program} ${installedVersion(packageRoot())}`,
    outputConfiguration: { outputError: () => undefined }, // the parser's words are said with the program's name, at the end
    errorHandler: (error) => throwUsageError(error, ''),
    serviceErrorHandler: (error) => {
      const { code, text } = commandEnd(program, error, advice);
      process.stderr.write(text);
      process.exitCode = code;
    },
  });
}
