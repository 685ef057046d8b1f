import { SubCommand } from 'nest-commander';
import { visible } from '#config';
import { explainCommand, type Finding } from '#sandbox';
import { programSearchPath } from '#tools';
import { ServerWorld } from '../server-world.js';
import { PolicySubcommand } from './policy-subcommand.js';
import { inSandboxPlace, type PolicyFlags } from './sandbox-place.js';

@SubCommand({
  name: 'explain',
  arguments: '<command...>',
  description: 'say what a policy would deny a command, and by which key; the exit code is 1 if anything',
})
export class ExplainCommand extends PolicySubcommand {
  constructor(private readonly world: ServerWorld) {
    super();
  }

  async run(argv: string[], flags: PolicyFlags): Promise<void> {
    await inSandboxPlace(this.world, flags, ({ policy, cwd, env }) => {
      const findings = explainCommand(policy, argv, { cwd, path: programSearchPath(env['PATH']) });
      const network = policy.network ? '' : `denied  network  (${policy.origins.network})\n`;
      process.stdout.write(findings.map(lineOf).join('') + network);
      process.exitCode = findings.some(({ denied }) => denied !== undefined) ? 1 : 0;
    });
  }
}

function lineOf({ what, path, access, denied }: Finding): string {
  const begin = `${denied === undefined ? 'allowed' : 'denied '}  ${what}  ${visible(path)}`;
  return denied === undefined ? `${begin}  (${access ?? ''})\n` : `${begin}: ${denied}\n`;
}
