import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { CommandFactory } from 'nest-commander';
import { commandEnd } from '#lifecycle';
import { ServeCommand } from './serve.command.js';
import { ServerWorld } from './server-world.js';

@Module({ providers: [ServeCommand, { provide: ServerWorld, useFactory: () => new ServerWorld({ ...process.env }, process.cwd()) }] })
class CommandLineModule {}

const end = (error: unknown): void => {
  const { code, text } = commandEnd('toolsrv', error, { EADDRINUSE: 'stop it, or give another --listen' });
  process.stderr.write(text);
  process.exitCode = code;
};

await CommandFactory.run(CommandLineModule, { cliName: 'toolsrv', logger: false, errorHandler: throwIt, serviceErrorHandler: end });

/** Thrown on, it comes to the handler of all errors. */
function throwIt(error: Error): never {
  throw error;
}
