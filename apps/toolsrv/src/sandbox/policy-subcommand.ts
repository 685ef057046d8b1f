import { Option } from 'nest-commander';
import { Subcommand } from '#lifecycle';

/** A command about the policy of a directory. */
export abstract class PolicySubcommand extends Subcommand {
  @Option({ flags: '--cwd <path>', description: 'the working directory (default: here)' })
  cwd(path: string): string {
    return path;
  }

  @Option({ flags: '--policy <file>', description: "this file alone, instead of the user's and the project's" })
  policy(file: string): string {
    return file;
  }

  @Option({ flags: '--name <name>', description: 'narrowed by sandbox/<name>.yaml, as a call with sandbox=<name>' })
  policyName(name: string): string {
    return name;
  }
}
