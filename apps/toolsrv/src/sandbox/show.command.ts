import { Option, SubCommand } from 'nest-commander';
import { ServerWorld } from '../server-world.js';
import { PolicySubcommand } from './policy-subcommand.js';
import { policyJson, policyText } from './render-policy.js';
import { inSandboxPlace, type PolicyFlags } from './sandbox-place.js';

interface ShowFlags extends PolicyFlags {
  readonly json?: boolean;
}

@SubCommand({ name: 'show', description: 'print the policy of a directory, and where each line of it comes from' })
export class ShowCommand extends PolicySubcommand {
  constructor(private readonly world: ServerWorld) {
    super();
  }

  @Option({ flags: '--json', description: 'as one JSON object' })
  json(): boolean {
    return true;
  }

  async run(_args: string[], flags: ShowFlags): Promise<void> {
    const text = await inSandboxPlace(this.world, flags, ({ policy, tmp }) =>
      flags.json === true ? policyJson(policy, tmp) : policyText(policy, tmp),
    );
    process.stdout.write(text);
  }
}
