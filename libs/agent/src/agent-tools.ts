import { abortable, NotFoundError, textResult } from '#model';
import type { OutputPiece, ToolHost, ToolInfo, ToolProcessInfo, ToolRequest, ToolResult, ToolServer } from '#model';
import type { AgentProcesses } from './agent-processes.js';
import type { AgentNews } from './agent-news.js';
import type { BackgroundCalls } from './background-calls.js';

/** A tool server that does not answer is hung up on after this. */
const CLOSE_MS = 2000;

/** Which tools an agent may have: all, none, or those whose name matches a glob; and which are loaded at once. */
export interface ToolOffer {
  readonly tools: boolean | readonly string[];
  readonly autoLoad: readonly string[];
  /** These are to be loaded at once from now on. Throws PartnerError. */
  keep(loaded: readonly string[]): void;
}

/**
 * The tools of one agent. Its tool server is connected on the first need and kept until `close`; the
 * list is read again only when the tool server's revision says so. Everything may reject with PartnerError.
 */
export class AgentTools {
  private readonly life = new AbortController();
  private server: Promise<ToolServer> | undefined;
  private infos: readonly ToolInfo[] = [];
  private revision = 0;
  private notices: string[] = [];

  constructor(
    private readonly agentId: string,
    private readonly host: ToolHost,
    private readonly offer: ToolOffer,
    private readonly background: BackgroundCalls,
    private readonly news: AgentNews,
  ) {}

  /** The tools that may be called now, sorted by name. */
  async list(signal: AbortSignal): Promise<readonly ToolInfo[]> {
    if (this.offer.tools === false) return [];
    const server = await this.connected(signal);
    const revision = await server.revision(signal);
    if (revision === 0 || revision !== this.revision) {
      this.infos = (await server.loaded(signal)).filter((info) => isOffered(info.name, this.offer.tools));
      this.revision = revision;
    }
    return this.infos;
  }

  async call(request: ToolRequest, signal: AbortSignal): Promise<ToolResult> {
    if (!isOffered(request.tool, this.offer.tools)) return textResult(`tool not loaded: ${request.tool}`, true);
    return (await this.connected(signal)).call(request, signal);
  }

  async *follow(callId: string, signal: AbortSignal): AsyncGenerator<OutputPiece, void, undefined> {
    const server = await this.connected(signal);
    const { processes } = this.background;
    for await (const piece of server.follow(callId, signal)) {
      if (!processes.knows(piece.pid)) processes.addFollowed(await server.process(piece.pid, signal));
      yield piece;
    }
  }

  async callInBackground(request: ToolRequest, signal: AbortSignal): Promise<ToolResult> {
    if (!isOffered(request.tool, this.offer.tools)) return textResult(`tool not loaded: ${request.tool}`, true);
    const server = await this.connected(signal);
    return this.background.start((asked, stop) => server.start(asked, stop), request, signal);
  }

  /** The agent's background processes; none as long as nothing has been started. */
  async processes(signal: AbortSignal): Promise<readonly ToolProcessInfo[]> {
    return this.server === undefined ? [] : (await abortable(this.server, signal)).processes(signal);
  }

  /** What has been started in the background, running or not. */
  get started(): AgentProcesses {
    return this.background.processes;
  }

  /** Makes a tool callable from the next request on. Rejects with NotFoundError for one that is not there, or not for this agent. */
  async load(tool: string, signal: AbortSignal): Promise<void> {
    if (!isOffered(tool, this.offer.tools)) throw new NotFoundError('tool', tool);
    await (await this.connected(signal)).load(tool, signal);
    this.offer.keep([...this.offer.autoLoad.filter((name) => name !== tool), tool]);
    this.news.tell('tools.changed', { tool, loaded: true });
  }

  /** Rejects with NotFoundError for one that is not loaded. */
  async unload(tool: string, signal: AbortSignal): Promise<void> {
    await (await this.connected(signal)).unload(tool, signal);
    this.offer.keep(this.offer.autoLoad.filter((name) => name !== tool));
    this.news.tell('tools.changed', { tool, loaded: false });
  }

  /** What a person should know about the tools, once: which of those to load at once could not be. */
  takeNotices(): readonly string[] {
    const taken = this.notices;
    this.notices = [];
    return taken;
  }

  /** Ends what runs in the background and hangs up, also when a connection is just being made. `isKept`: what that has put out is to be read later. */
  async close(isKept: boolean): Promise<void> {
    await this.background.close(AbortSignal.timeout(CLOSE_MS), isKept);
    this.life.abort();
    const [opened] = await Promise.allSettled([this.server]);
    if (opened.status === 'fulfilled') await opened.value?.close();
  }

  /** One attempt for all who wait; it outlives the one who asked first, and a failed one is followed by another. */
  private connected(signal: AbortSignal): Promise<ToolServer> {
    if (this.server === undefined) {
      const attempt = this.connect(this.life.signal);
      this.server = attempt;
      attempt.catch(() => {
        if (this.server === attempt) this.server = undefined;
      });
    }
    return abortable(this.server, signal);
  }

  private async connect(signal: AbortSignal): Promise<ToolServer> {
    const server = await this.host.connect(this.agentId, signal);
    try {
      const wanted = this.offer.autoLoad.filter((name) => isOffered(name, this.offer.tools));
      const notices = await Promise.all(wanted.map((tool) => loadOrNotice(server, tool, signal)));
      this.notices.push(...notices.flat());
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }
}

/** What is to be said of a tool that is not there; nothing when it could be loaded. */
async function loadOrNotice(server: ToolServer, tool: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    await server.load(tool, signal);
    return [];
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return [`tool not loaded: ${error.message}`];
  }
}

function isOffered(name: string, tools: boolean | readonly string[]): boolean {
  return typeof tools === 'boolean' ? tools : tools.some((glob) => globPattern(glob).test(name));
}

function globPattern(glob: string): RegExp {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\*/g, '.*').replace(/\?/g, '.')}$`);
}
