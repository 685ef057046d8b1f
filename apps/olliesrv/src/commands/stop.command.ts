import { Command, Option } from 'nest-commander';
import { defaultAddress } from '../addresses.js';
import { RunningServer } from './running-server.js';
import { Subcommand } from '#lifecycle';
import { World } from './world.js';

@Command({ name: 'stop', description: 'stop the server that listens there, in order' })
export class StopCommand extends Subcommand {
  constructor(private readonly world: World) {
    super();
  }

  @Option({ flags: '-l, --listen <address>', description: 'where it listens (default: unix!$NAMESPACE/ollie)' })
  listen(address: string): string {
    return address;
  }

  async run(_args: string[], { listen = defaultAddress(this.world.environment) }: { readonly listen?: string }): Promise<void> {
    const wasRunning = await new RunningServer(listen).stop();
    process.stdout.write(wasRunning ? `olliesrv: stopped ${listen}\n` : `olliesrv: nothing listens on ${listen}\n`);
    if (!wasRunning) process.exitCode = 1;
  }
}
