import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseJson } from '#model';
import { listOf, numberField } from '../wire/json-fields.js';
import { object } from './cases.js';

const CLOSE_LIMIT_MS = 2_000;
const LOOK_MS = 20;

/** Plays the shared cases on loopback. */
export class CaseServer {
  private constructor(
    private readonly process: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(directory: string): Promise<CaseServer> {
    const program = [join(directory, 'serve.mjs'), directory, '--port', '0'];
    const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
    const said: readonly unknown[] = await once(child.stdout, 'data');
    return new CaseServer(child, `http://127.0.0.1:${numberField(object(parseJson(String(said[0]))), 'port')}`);
  }

  addressOf(id: string): string {
    return `${this.url}/c/${id}`;
  }

  /** The server's own record of when its peer closed, in ms; null when it did not in two seconds. */
  async closedAfter(id: string): Promise<number | null> {
    const deadline = Date.now() + CLOSE_LIMIT_MS;
    while (Date.now() < deadline) {
      const seen = listOf(parseJson(await (await fetch(`${this.url}/_log/${id}`)).text()));
      const closed = numberField(object(seen.at(-1) ?? {}), 'closed_ms');
      if (closed !== undefined) return closed;
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
    return null;
  }

  async stop(): Promise<void> {
    this.process.kill();
    if (this.process.exitCode === null) await once(this.process, 'exit');
  }
}
