import type { SandboxReach } from '#model';
import { probe, type ProbeReport } from '#sandbox';

/** What this host can enforce. `reach` is what a tool gets at most. */
export interface SandboxFacts {
  readonly helper: string | undefined;
  readonly landlock: number;
  readonly reach: SandboxReach;
  /** Layers that are not there, by name. */
  readonly missing: readonly string[];
}

/** Port to what the host can enforce; looked up once. */
export abstract class SandboxStatus {
  abstract facts(signal: AbortSignal): Promise<SandboxFacts>;
}

/** Asks the native helper. */
export class ProbedSandboxStatus extends SandboxStatus {
  private known: SandboxFacts | undefined;

  constructor(
    private readonly helper: string | undefined,
    private readonly isYolo: boolean,
  ) {
    super();
  }

  async facts(signal: AbortSignal): Promise<SandboxFacts> {
    this.known ??= await this.look(signal);
    return this.known;
  }

  private async look(signal: AbortSignal): Promise<SandboxFacts> {
    const { helper } = this;
    const report = helper === undefined ? { landlock: 0, seccomp: false, userns: false } : await probe(helper, signal);
    const reach = this.isYolo || report.landlock === 0 ? 'none' : 'partial';
    return { helper, landlock: report.landlock, reach, missing: missingLayers(report) };
  }
}

function missingLayers({ landlock, seccomp, userns }: Pick<ProbeReport, 'landlock' | 'seccomp' | 'userns'>): readonly string[] {
  return [landlock === 0 ? ['landlock'] : [], seccomp ? [] : ['seccomp'], userns ? [] : ['userns'], ['cells']].flat();
}
