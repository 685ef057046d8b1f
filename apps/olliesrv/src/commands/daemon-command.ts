import { CommandRunner } from 'nest-commander';

/** A subcommand whose usage errors are thrown instead of ending the process on the spot. */
export abstract class DaemonCommand extends CommandRunner {
  override setCommand(command: Parameters<CommandRunner['setCommand']>[0]): this {
    return super.setCommand(command.exitOverride());
  }
}
