import { resolve } from 'node:path';
import { Option, SubCommand } from 'nest-commander';
import { ensureEnvironment, Paths } from '#config';
import { Subcommand, UsageError } from '#lifecycle';
import { SandboxConfigError, trustableFile, TrustedFiles, trustProject } from '#sandbox';
import { ServerWorld } from '../server-world.js';

@SubCommand({
  name: 'trust',
  arguments: '<file>',
  description: "let a project's .ollie-sandbox.yaml, as it is now, widen the policy; servers that run keep what they have read",
})
export class TrustCommand extends Subcommand {
  constructor(private readonly world: ServerWorld) {
    super();
  }

  @Option({ flags: '--remove', description: 'trust it no more' })
  remove(): boolean {
    return true;
  }

  async run([name = '']: string[], { remove = false }: { readonly remove?: boolean }): Promise<void> {
    const { data } = Paths.from(ensureEnvironment(this.world.env));
    const file = projectFile(resolve(this.world.cwd, name));
    if (remove) new TrustedFiles(data).remove(file);
    else trustProject(file, data);
    process.stdout.write(`${remove ? 'trusted no more' : 'trusted as it is now'}: ${file}\n`);
  }
}

function projectFile(path: string): string {
  try {
    return trustableFile(path);
  } catch (error) {
    if (error instanceof SandboxConfigError) throw new UsageError(error.message);
    throw error;
  }
}
