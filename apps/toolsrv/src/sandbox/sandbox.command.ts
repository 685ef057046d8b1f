import { Command } from 'nest-commander';
import { Subcommand, UsageError } from '#lifecycle';
import { ExplainCommand } from './explain.command.js';
import { ProbeCommand } from './probe.command.js';
import { RunCommand } from './run.command.js';
import { ShowCommand } from './show.command.js';
import { TrustCommand } from './trust.command.js';

/** The commands below `toolsrv sandbox`. */
export const SANDBOX_COMMANDS = [RunCommand, ShowCommand, ExplainCommand, ProbeCommand, TrustCommand] as const;

@Command({
  name: 'sandbox',
  subCommands: [...SANDBOX_COMMANDS],
  description: 'policies: run a command under one, show and explain them, probe the kernel',
})
export class SandboxCommand extends Subcommand {
  async run(): Promise<void> {
    throw new UsageError('one of run, show, explain, probe, trust is needed', 'sandbox');
  }
}
