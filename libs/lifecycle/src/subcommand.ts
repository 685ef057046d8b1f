import { CommandRunner } from 'nest-commander';
import { throwUsageError } from './parser-error.js';

type ParserCommand = Parameters<CommandRunner['setCommand']>[0];

/** A subcommand that refuses words which it does not take, and throws what is wrong instead of ending the process on the spot. */
export abstract class Subcommand extends CommandRunner {
  override setCommand(command: ParserCommand): this {
    command.allowExcessArguments(false);
    command.exitOverride((error) => throwUsageError(error, nameOf(command)));
    return super.setCommand(command);
  }
}

/** `sandbox run` for a command within another; the program itself is left out. */
function nameOf(command: ParserCommand): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}
