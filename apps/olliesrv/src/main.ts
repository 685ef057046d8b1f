import 'reflect-metadata';
import { CommandFactory } from 'nest-commander';
import { commandEnd } from '#lifecycle';
import { CliModule } from './commands/cli.module.js';
import { World } from './commands/world.js';

const world = new World(process.env, process.cwd(), process.argv[1] ?? '');
await CommandFactory.run(CliModule.in(world), {
  logger: false,
  cliName: 'olliesrv',
  errorHandler: (error) => {
    throw error;
  },
  serviceErrorHandler: (error) => {
    const { code, text } = commandEnd('olliesrv', error, {
      EADDRINUSE: 'end it with olliesrv stop, or give another address with --listen',
    });
    process.stderr.write(text);
    process.exitCode = code;
  },
});
