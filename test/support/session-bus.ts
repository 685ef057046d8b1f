import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { type Ended, run } from './run.js';
import { until } from './until.js';

export const NAME = 'org.ollie.SessionManager';
export const PATH = '/org/ollie/SessionManager';

/** A real session bus of its own, which can be ended and started again at the same address. */
export class SessionBus {
  private readonly folder = realpathSync(mkdtempSync('/tmp/ob-'));
  readonly socket = `${this.folder}/bus`;
  readonly address = `unix:path=${this.socket}`;
  private daemon: ChildProcess | undefined;
  private readonly monitors: Monitor[] = [];

  /** `limits` are those of dbus-daemon's configuration. */
  async start(limits: Readonly<Record<string, number>> = {}): Promise<this> {
    const file = `${this.folder}/bus.conf`;
    writeFileSync(file, configuration(this.address, limits));
    const daemon = spawn('dbus-daemon', [`--config-file=${file}`, '--nofork', '--print-address=1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.daemon = daemon;
    await once(daemon.stdout, 'data');
    return this;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    for (const monitor of this.monitors.splice(0)) monitor.stop();
    const { daemon } = this;
    this.daemon = undefined;
    if (!daemon) return;
    daemon.kill(signal);
    await once(daemon, 'exit');
  }

  /** Stops the daemon in its tracks, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.daemon?.kill(signal);
  }

  async destroy(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  run(program: string, ...args: readonly string[]): Promise<Ended> {
    return run(program, args, { env: this.environment });
  }

  /** Calls a method of the session manager. */
  call(member: string, ...args: readonly string[]): Promise<Ended> {
    return this.run('gdbus', 'call', '--session', '--dest', NAME, '--object-path', PATH, '--method', `${NAME}.${member}`, '--', ...args);
  }

  /** Waits until somebody has the session manager's name. */
  async named(): Promise<void> {
    const { code, stderr } = await this.run('gdbus', 'wait', '--session', '--timeout', '15', NAME);
    if (code !== 0) throw new Error(stderr);
  }

  async hasOwner(): Promise<boolean> {
    const daemon = ['--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus'];
    const { stdout } = await this.run('gdbus', 'call', '--session', ...daemon, '--method', 'org.freedesktop.DBus.NameHasOwner', NAME);
    return stdout.includes('true');
  }

  /** Calls a method with texts by dbus-send, which does not look first what the method takes. */
  send(member: string, texts: readonly string[], { path = PATH, to = NAME } = {}): Promise<Ended> {
    return this.run('dbus-send', '--print-reply', `--dest=${NAME}`, path, `${to}.${member}`, ...texts.map((text) => `string:${text}`));
  }

  /** A `gdbus monitor` of the session manager, ready. */
  async monitor(): Promise<Monitor> {
    const monitor = new Monitor(spawn('gdbus', ['monitor', '--session', '--dest', NAME], { env: this.environment }));
    this.monitors.push(monitor);
    await until('the monitor watches', () => monitor.said.includes('is owned by'));
    return monitor;
  }

  private get environment(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, DBUS_SESSION_BUS_ADDRESS: this.address, LC_ALL: 'C.UTF-8' };
  }
}

/** What a `gdbus monitor` has shown. */
export class Monitor {
  said = '';

  constructor(readonly process: ChildProcess) {
    process.stdout?.setEncoding('utf8').on('data', (text: string) => (this.said += text));
  }

  /** The arguments of each signal of this name, as gdbus prints them. */
  signals(member: string): readonly string[] {
    const shown = new RegExp(`^${PATH}: ${NAME.replaceAll('.', '\\.')}\\.${member} \\((.*)\\)$`, 'gm');
    return [...this.said.matchAll(shown)].map(([, args = '']) => args);
  }

  /** What ChatUpdated told of a session's agent. Throws where a chunk does not begin at the end of the one before. */
  chat(session: string): string {
    let [text, end] = ['', 0];
    for (const shown of this.signals('ChatUpdated').filter((signal) => signal.startsWith(`'${session}'`))) {
      const [, offset, , chunk = ''] = /, uint64 (\d+), (['"])(.*)\2$/s.exec(shown) ?? [];
      if (Number(offset) !== end) throw new Error(`a chunk at ${String(offset)} after ${String(end)} bytes`);
      text += unescaped(chunk);
      end = Buffer.byteLength(text);
    }
    return text;
  }

  stop(): void {
    this.process.kill('SIGKILL');
  }
}

/** As gdbus prints texts. */
function unescaped(text: string): string {
  const known: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
  return text.replace(/\\(.)/gs, (_all, char: string) => known[char] ?? char);
}

function configuration(address: string, limits: Readonly<Record<string, number>>): string {
  const rows = Object.entries(limits).map(([name, value]) => `<limit name="${name}">${String(value)}</limit>`);
  return `<busconfig><type>session</type><keep_umask/><listen>${address}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
${rows.join('\n')}</busconfig>\n`;
}
