import { type DynamicModule, Module } from '@nestjs/common';
import { ServeCommand } from './serve.command.js';
import { StartCommand } from './start.command.js';
import { StatusCommand } from './status.command.js';
import { StopCommand } from './stop.command.js';
import { World } from './world.js';

/** The command line of olliesrv. */
@Module({})
export class CliModule {
  static in(world: World): DynamicModule {
    return { module: CliModule, providers: [{ provide: World, useValue: world }, ServeCommand, StartCommand, StopCommand, StatusCommand] };
  }
}
