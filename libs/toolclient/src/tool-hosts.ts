import { abortable, type ToolHost, ToolHostFactory } from '#model';
import type { CatalogEntry } from '#model';
import { SpawnedToolHost } from './spawned-tool-host.js';
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

  forSession(sessionId: string, cwd: string): ToolHost {
    const host = new SpawnedToolHost({ id: sessionId, cwd }, this.launch);
    this.hosts.add(host);
    return host;
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
    const host = new SpawnedToolHost({ id: '', cwd: this.cwd }, this.launch);
    this.hosts.add(host);
    try {
      const hands = await host.dial(DISCOVERY_AGENT, this.life.signal);
      return await hands.catalog(this.life.signal);
    } catch (error) {
      this.known = undefined;
      throw error;
    } finally {
      this.hosts.delete(host);
      await host.close();
    }
  }
}
