import { CommandRunner } from 'nest-commander';
import { throwUsageError } from './parser-error.js';

/** A subcommand that refuses words which it does not take, and throws what is wrong instead of ending the process on the spot. */
export abstract class Subcommand extends CommandRunner {
  override setCommand(command: Parameters<CommandRunner['setCommand']>[0]): this {
    command.allowExcessArguments(false);
    command.exitOverride((error) => throwUsageError(error, command.name()));
    return super.setCommand(command);
  }
}
