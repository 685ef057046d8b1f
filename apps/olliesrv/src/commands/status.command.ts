import { Command, Option } from 'nest-commander';
import { defaultAddress } from '../addresses.js';
import { RunningServer } from './running-server.js';
import { Subcommand } from '#lifecycle';
import { World } from './world.js';

@Command({ name: 'status', description: 'say whether a server listens there; exit code 1 if none does' })
export class StatusCommand extends Subcommand {
  constructor(private readonly world: World) {
    super();
  }

  @Option({ flags: '-l, --listen <address>', description: 'where it listens (default: unix!$NAMESPACE/ollie)' })
  listen(address: string): string {
    return address;
  }

  async run(_args: string[], { listen = defaultAddress(this.world.environment) }: { readonly listen?: string }): Promise<void> {
    const server = new RunningServer(listen);
    const sessions = await server.sessions();
    if (sessions)
      process.stdout.write(`olliesrv: running on ${listen} pid=${String(server.pid ?? '')} sessions=${String(sessions.length)}\n`);
    else {
      process.stdout.write(`olliesrv: nothing listens on ${listen}\n`);
      process.exitCode = 1;
    }
  }
}
