import 'reflect-metadata';
import { CommandFactory } from 'nest-commander';
import { CliModule } from './commands/cli.module.js';
import { reportFailure } from './commands/report-failure.js';
import { World } from './commands/world.js';

const world = new World(process.env, process.cwd(), process.argv[1] ?? '');
await CommandFactory.run(CliModule.in(world), {
  logger: false,
  cliName: 'olliesrv',
  errorHandler: (error) => {
    throw error;
  },
  serviceErrorHandler: reportFailure,
});
