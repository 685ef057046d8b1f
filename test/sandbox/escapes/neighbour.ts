import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../../support/until.js';

interface NeighbourOptions {
  readonly program: string;
  readonly secret: string;
  readonly home: string;
  readonly doors: string;
  readonly uid: number;
}

/** Another program of the same user, whose things a tool shall not touch. Ends by itself after a minute. */
export class Neighbour {
  private said = '';
  private readonly closed: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    this.closed = once(child, 'close');
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.said += text));
  }

  static async start({ program, secret, home, doors, uid }: NeighbourOptions): Promise<Neighbour> {
    const env = { SECRET: secret };
    const who = uid === process.getuid?.() ? {} : { uid, gid: uid };
    const neighbour = new Neighbour(
      spawn(program, [secret, home, doors], { ...who, env, cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    await until('the neighbour says where its things are', () => neighbour.said.includes('\n\n'));
    return neighbour;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Where something is. */
  of(name: string): string {
    return this.value(name, this.said.slice(0, this.said.indexOf('\n\n')));
  }

  /** What became of something. */
  became(name: string): string {
    return this.value(name, this.said.slice(this.said.indexOf('\n\n')));
  }

  /** What was said at its doors. */
  get heard(): readonly string[] {
    return this.became('heard').split(' ');
  }

  async end(): Promise<void> {
    this.child.stdin?.end();
    await this.closed;
  }

  private value(name: string, text: string): string {
    const value = text.match(new RegExp(`^${name}=(.*)$`, 'm'))?.[1];
    if (value === undefined) throw new Error(`the neighbour said nothing of ${name}: ${this.said}`);
    return value;
  }
}
