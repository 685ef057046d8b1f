import { setImmediate } from 'node:timers/promises';
import { NotFoundError, OllieError, PartnerError, textResult, ToolServer } from '#model';
import type { BackgroundProcess, CatalogEntry, OutputPiece, ToolInfo, ToolProcessInfo, ToolRequest, ToolResult } from '#model';
import { chunksOf, type Client, NinepError } from '#ninep';
import { CallFollower } from './call-follower.js';
import { ToolsrvLostError } from './errors.js';
import { parseCatalog, parseRevision, parseToolInfos, parseToolResult } from './parse-answer.js';
import { parseProcessList, type ProcessRow } from './parse-process-list.js';
import { formatPayload } from './payload.js';
import { processStat } from './process-stat.js';
import { RemoteProcess } from './remote-process.js';

/** Whom a connection speaks for. `sessionId` may be empty. */
export interface AgentScope {
  readonly agentId: string;
  readonly sessionId: string;
}

/** What to do about a tool server that does not say within `limitMs` that a call has ended after it was called off. */
export interface Patience {
  readonly limitMs: number;
  /** Called once the connection was hung up. */
  readonly whenOver: () => void;
}

const NEWLINE = 0x0a;
const ENDLESS: Patience = { limitMs: 0x7fffffff, whenOver: () => undefined };

/**
 * The hands of one agent over an authenticated 9P connection. The connection is this object's own:
 * `close` hangs up. Requests of one object may overlap. Once the connection is gone, everything
 * rejects with ToolsrvLostError.
 */
export class NinePToolServer extends ToolServer {
  private lost = false;

  constructor(
    private readonly client: Client,
    private readonly scope: AgentScope,
    private readonly patience = ENDLESS,
  ) {
    super();
    void client.closed.then(() => {
      this.lost = true;
    });
  }

  /** Resolves when the connection is gone. */
  get closed(): Promise<unknown> {
    return this.client.closed;
  }

  get isLost(): boolean {
    return this.lost;
  }

  async loaded(signal: AbortSignal): Promise<readonly ToolInfo[]> {
    return parseToolInfos(await this.askAboutAgent('tools', signal));
  }

  async revision(signal: AbortSignal): Promise<number> {
    return parseRevision(await this.askAboutAgent('tools_rev', signal));
  }

  async load(tool: string, signal: AbortSignal): Promise<void> {
    await this.control('load', tool, signal);
  }

  async unload(tool: string, signal: AbortSignal): Promise<void> {
    await this.control('unload', tool, signal);
  }

  /** An abort flushes the request and clunks `proc/new`, which ends the process tree; the result then says `cancelled`. It waits for that end as long as the patience lasts. */
  async call(request: ToolRequest, signal: AbortSignal): Promise<ToolResult> {
    try {
      return parseToolResult(await this.askForLine('proc/new', this.payload(request), signal));
    } catch (error) {
      if (signal.aborted && !this.lost) return textResult('cancelled', true);
      if (isRefusal(error)) return textResult(refusalOf(error), true);
      throw await this.translate(error);
    }
  }

  async *follow(callId: string, signal: AbortSignal): AsyncGenerator<OutputPiece, void, undefined> {
    try {
      yield* new CallFollower(this.client, { agentId: this.scope.agentId, callId }, signal).pieces();
    } catch (error) {
      throw await this.translate(error, signal);
    }
  }

  async start(request: ToolRequest, signal: AbortSignal): Promise<BackgroundProcess | ToolResult> {
    try {
      const answer = decode(await this.client.ask('proc/new.bg', this.payload(request), signal));
      const pid = /^([1-9]\d{0,14})\n$/.exec(answer)?.[1];
      if (pid === undefined) return parseToolResult(answer);
      return this.remote(Number(pid));
    } catch (error) {
      if (error instanceof NinepError && !this.lost && !signal.aborted) return textResult(refusalOf(error), true);
      throw await this.translate(error, signal);
    }
  }

  process(pid: number): Promise<BackgroundProcess> {
    return Promise.resolve(this.remote(pid));
  }

  async processes(signal: AbortSignal): Promise<readonly ToolProcessInfo[]> {
    const rows = parseProcessList(await this.askAboutAgent('proc/list', signal));
    const infos = await Promise.all(rows.map((row) => this.describe(row, signal)));
    return infos.filter((info) => info !== undefined);
  }

  /** Every tool that the host offers, whoever asks. */
  async catalog(signal: AbortSignal): Promise<readonly CatalogEntry[]> {
    return parseCatalog(await this.read('all', signal));
  }

  /** True while anything runs on this tool server, whoever started it. */
  async isBusy(signal: AbortSignal): Promise<boolean> {
    return parseProcessList(await this.read('proc/list', signal)).some((row) => row.state === 'running');
  }

  close(): Promise<void> {
    this.client.close();
    return Promise.resolve();
  }

  private remote(pid: number): BackgroundProcess {
    return new RemoteProcess(pid, this.client, (work, stop) => this.guarded(work, stop));
  }

  private payload(request: ToolRequest): string {
    const token = this.client.authAnswer?.trim() ?? '';
    return formatPayload(request, { token, agent: this.scope.agentId, session: this.scope.sessionId });
  }

  /** Undefined for a process that is gone by now, and for a call that somebody waits for. */
  private async describe(row: ProcessRow, signal: AbortSignal): Promise<ToolProcessInfo | undefined> {
    const stat = await this.guarded(() => processStat(this.client, row.pid, signal), signal);
    return stat === undefined || stat.get('background') === 'false' ? undefined : { ...row, command: stat.get('cmd') ?? '' };
  }

  private async control(word: 'load' | 'unload', tool: string, signal: AbortSignal): Promise<void> {
    try {
      await this.client.writeAll('ctl', `${word} ${this.scope.agentId} ${tool}\n`, signal);
    } catch (error) {
      if (error instanceof NinepError && error.message.startsWith('no such tool: ')) {
        throw new NotFoundError('tool', error.message.slice('no such tool: '.length));
      }
      throw await this.translate(error, signal);
    }
  }

  private askAboutAgent(path: string, signal: AbortSignal): Promise<string> {
    return this.guarded(async () => decode(await this.client.ask(path, `${this.scope.agentId}\n`, signal)), signal);
  }

  private read(path: string, signal: AbortSignal): Promise<string> {
    return this.guarded(async () => decode(await this.client.readAll(path, signal)), signal);
  }

  private async guarded<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw await this.translate(error, signal);
    }
  }

  /** An answer of one line. Rejects after an abort only when flush and clunk are acknowledged or the patience is over. */
  private async askForLine(path: string, request: string, signal: AbortSignal): Promise<string> {
    const { file, first } = await this.client.begin(path, request, signal);
    let ended = false;
    try {
      const line = await readLine(chunksOf(file, signal, first));
      ended = true;
      return line;
    } finally {
      const clunked = this.acknowledged(file.clunk());
      if (!ended) await clunked;
    }
  }

  /** Never rejects. A connection that is hung up acknowledges at once. */
  private async acknowledged(clunk: Promise<void>): Promise<void> {
    const { limitMs, whenOver } = this.patience;
    const timer = setTimeout(() => {
      this.client.close();
      whenOver();
    }, limitMs);
    await Promise.allSettled([clunk]);
    clearTimeout(timer);
  }

  /** What the caller sees: his own abort as it is, a lost connection, else the server's complaint. */
  private async translate(error: unknown, signal?: AbortSignal): Promise<unknown> {
    if (signal?.aborted || error instanceof OllieError) return error;
    await setImmediate(); // the calls of a connection fail just before it says that it is closed
    if (this.lost || !(error instanceof NinepError)) return new ToolsrvLostError(error);
    return new PartnerError(`toolsrv: ${error.message}`, { cause: error });
  }
}

/** The payload itself was turned down: that is for the model to know, and toolsrv is well. */
function isRefusal(error: unknown): error is NinepError {
  return error instanceof NinepError && ['EINVAL', 'E2BIG'].includes(error.posix);
}

function refusalOf(error: NinepError): string {
  if (!isRefusal(error) || error.message.includes('cannot run in background')) return error.message;
  return `invalid arguments: toolsrv takes no call with a NUL or of more than 16 MiB: ${error.message}`;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** What comes up to the first newline at the end of a piece, or to the end: what else would be read tells nothing. */
async function readLine(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of chunks) {
    pieces.push(piece);
    if (piece.at(-1) === NEWLINE) break;
  }
  return decode(Buffer.concat(pieces));
}
