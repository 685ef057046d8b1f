import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { runCommandLine } from '#lifecycle';
import { GuardCommand } from './guard.command.js';
import { commandApart } from './sandbox/command-apart.js';
import { SANDBOX_COMMANDS, SandboxCommand } from './sandbox/sandbox.command.js';
import { ServeCommand } from './serve.command.js';
import { ServerWorld } from './server-world.js';

@Module({
  providers: [
    ServeCommand,
    GuardCommand,
    SandboxCommand,
    ...SANDBOX_COMMANDS,
    { provide: ServerWorld, useFactory: () => new ServerWorld({ ...process.env }, process.cwd()) },
  ],
})
class CommandLineModule {}

process.argv = [...process.argv.slice(0, 2), ...commandApart(process.argv.slice(2))];
await runCommandLine('toolsrv', CommandLineModule, { EADDRINUSE: 'stop it, or give another --listen' });
