import type { SandboxReach } from '#model';
import { probe, type ProbeReport } from '#sandbox';

/** What this host can enforce. `reach` is what a tool gets at most. */
export interface SandboxFacts {
  readonly helper: string | undefined;
  readonly landlock: number;
  readonly reach: SandboxReach;
  /** Whether private namespaces can be had. */
  readonly cells: boolean;
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
    const report = helper === undefined ? NOTHING : await probe(helper, signal);
    const missing = missingLayers(report);
    const most = missing.length === 0 ? 'full' : 'partial';
    const reach = this.isYolo || report.landlock === 0 ? 'none' : most;
    return { helper, landlock: report.landlock, reach, cells: report.cells, missing };
  }
}

type Offered = Pick<ProbeReport, 'landlock' | 'seccomp' | 'userns' | 'cells'>;

const NOTHING: Offered = { landlock: 0, seccomp: false, userns: false, cells: false };

/** What Landlock lacks before an ABI, as the helper reports it of a run. */
const GAPS = [
  [1, 'landlock'],
  [3, 'truncate'],
  [5, 'device-ioctl'],
  [6, 'signals'],
] as const;

function missingLayers({ landlock, seccomp, userns, cells }: Offered): readonly string[] {
  const gaps = GAPS.filter(([abi]) => landlock < abi).map(([, gap]) => gap);
  return [
    landlock === 0 ? ['landlock'] : gaps,
    seccomp ? [] : ['seccomp'],
    userns || cells ? [] : ['userns'],
    cells ? [] : ['cells'],
  ].flat();
}
