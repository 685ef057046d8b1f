import 'reflect-metadata';
import { runCommandLine } from '#lifecycle';
import { CliModule } from './commands/cli.module.js';
import { World } from './commands/world.js';

const world = new World(process.env, process.cwd(), process.argv[1] ?? '');
await runCommandLine('olliesrv', CliModule.in(world), {
  EADDRINUSE: 'end it with olliesrv stop, or give another address with --listen',
});
