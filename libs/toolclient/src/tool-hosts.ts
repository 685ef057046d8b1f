import { abortable, noNumbers, type ProcessNumbers, type ToolHost, ToolHostFactory } from '#model';
import type { CatalogEntry } from '#model';
import { type HandsOf, SpawnedToolHost } from './spawned-tool-host.js';
import type { ToolsrvLaunch } from './toolsrv-launch.js';

const DISCOVERY_AGENT = 'discovery';

/** Starts local hands: one toolsrv a session, and a short-lived one that tells what the host offers. */
export class ToolHosts extends ToolHostFactory {
  private readonly hosts = new Set<ToolHost>();
  private known: Promise<readonly CatalogEntry[]> | undefined;
  private readonly life = new AbortController();

  /** `cwd` is where discovery runs. */
  constructor(
    private readonly launch: ToolsrvLaunch,
    private readonly cwd: string,
  ) {
    super();
  }

  forSession(sessionId: string, cwd: string, numbers: ProcessNumbers = noNumbers): ToolHost {
    return this.added({ id: sessionId, cwd, numbers });
  }

  /** Asked once for all callers; a failure is not remembered. */
  catalog(signal: AbortSignal): Promise<readonly CatalogEntry[]> {
    this.known ??= this.discover();
    return abortable(this.known, signal);
  }

  invalidate(): void {
    this.known = undefined;
  }

  async close(): Promise<void> {
    this.life.abort();
    await Promise.all([...this.hosts].map((host) => host.close()));
  }

  private async discover(): Promise<readonly CatalogEntry[]> {
    const host = this.added({ id: '', cwd: this.cwd, numbers: noNumbers });
    try {
      const hands = await host.dial(DISCOVERY_AGENT, this.life.signal);
      return await hands.catalog(this.life.signal);
    } catch (error) {
      this.known = undefined;
      throw error;
    } finally {
      await host.close();
    }
  }

  /** Kept until it is closed. */
  private added(of: HandsOf): SpawnedToolHost {
    const host: SpawnedToolHost = new SpawnedToolHost(of, this.launch, () => this.hosts.delete(host));
    this.hosts.add(host);
    return host;
  }
}
