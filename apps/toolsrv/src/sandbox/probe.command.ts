import { Option, SubCommand } from 'nest-commander';
import { Subcommand, UsageError } from '#lifecycle';
import { findHelper, probe } from '#sandbox';
import { probeText } from './render-probe.js';

@SubCommand({ name: 'probe', description: 'say what this kernel enforces' })
export class ProbeCommand extends Subcommand {
  @Option({ flags: '--json', description: 'as one JSON object' })
  json(): boolean {
    return true;
  }

  async run(_args: string[], { json = false }: { readonly json?: boolean }): Promise<void> {
    const helper = findHelper();
    if (helper === undefined) throw new UsageError('the sandbox helper is not built: npm run setup');
    const report = await probe(helper, new AbortController().signal);
    process.stdout.write(json ? `${JSON.stringify(report)}\n` : probeText(report));
  }
}
