import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Option, SubCommand } from 'nest-commander';
import { ensureEnvironment, Paths } from '#config';
import { Subcommand, UsageError } from '#lifecycle';
import { checkPolicyFile, PROJECT_FILE, TrustedFiles } from '#sandbox';
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
    const file = projectFile(resolve(this.world.cwd, name));
    const trusted = new TrustedFiles(Paths.from(ensureEnvironment(this.world.env)).data);
    if (remove) {
      trusted.remove(file);
    } else {
      checkPolicyFile(file);
      trusted.add(file);
    }
    process.stdout.write(`${remove ? 'trusted no more' : 'trusted as it is now'}: ${file}\n`);
  }
}

/** A directory stands for the file in it. Of other files nothing is ever asked, so trusting one would be a mistake. */
function projectFile(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, PROJECT_FILE) : path;
  if (basename(file) !== PROJECT_FILE) throw new UsageError(`${file}: only a file named ${PROJECT_FILE} can be trusted`);
  return file;
}
