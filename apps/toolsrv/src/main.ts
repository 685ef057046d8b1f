import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { runCommandLine } from '#lifecycle';
import { ServeCommand } from './serve.command.js';
import { ServerWorld } from './server-world.js';

@Module({ providers: [ServeCommand, { provide: ServerWorld, useFactory: () => new ServerWorld({ ...process.env }, process.cwd()) }] })
class CommandLineModule {}

await runCommandLine('toolsrv', CommandLineModule, { EADDRINUSE: 'stop it, or give another --listen' });
