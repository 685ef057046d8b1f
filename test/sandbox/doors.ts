import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#config';
import { until } from '../support/until.js';
import type { Programs } from './programs.js';
import type { World } from './world.js';

/** A Unix socket of a program that acts for the user, what to say there, and what is answered. `@` begins an abstract name. */
export interface Door {
  readonly name: string;
  readonly path: string;
  readonly greeting: Buffer;
  readonly answer: RegExp;
}

const START_MS = 30_000;
const VERSION = Buffer.from([0x13, 0, 0, 0, 100, 0xff, 0xff, 0, 0x20, 0, 0, 6, 0, ...Buffer.from('9P2000')]);
const IDENTITIES = Buffer.from([0, 0, 0, 1, 11]);
const PING = Buffer.from('GET /_ping HTTP/1.0\r\n\r\n');

/** Real servers of one user, as they would run beside Ollie. */
export class Doors {
  private readonly children: ChildProcess[] = [];
  private readonly ends: Promise<unknown>[] = [];
  readonly all: readonly Door[];

  private constructor(
    private readonly world: World,
    private readonly programs: Programs,
  ) {
    const authenticate = Buffer.from(`\0AUTH EXTERNAL ${Buffer.from(String(world.uid)).toString('hex')}\r\n`);
    const http = { greeting: PING, answer: /HTTP\/1\.1 200/ };
    const bus = { greeting: authenticate, answer: /OK [0-9a-f]{32}/ };
    this.all = [
      { name: 'toolsrv', path: this.at('toolsrv'), greeting: VERSION, answer: /9P2000/ },
      { name: 'olliesrv', path: this.at('ollie'), greeting: VERSION, answer: /9P2000/ },
      { name: 'D-Bus', path: this.at('bus'), ...bus },
      { name: 'D-Bus with an abstract name', path: `@${this.at('bus')}`, ...bus },
      { name: 'ssh-agent', path: this.at('agent'), greeting: IDENTITIES, answer: /^9 bytes/ },
      { name: 'docker', path: this.at('docker.sock'), ...http },
      { name: 'docker with an abstract name', path: `@${this.at('docker.sock')}`, ...http },
    ];
  }

  static async open(world: World, programs: Programs): Promise<Doors> {
    world.directory('run');
    const doors = new Doors(world, programs);
    doors.startPrograms();
    await until('all of them listen', () => doors.all.every(isOpen), START_MS).catch(async (error: unknown) => {
      await doors.close();
      throw error;
    });
    return doors;
  }

  async close(): Promise<void> {
    for (const child of this.children) child.kill('SIGTERM');
    await Promise.all(this.ends);
  }

  private at(name: string): string {
    return join(this.world.root, 'run', name);
  }

  private startPrograms(): void {
    const program = (name: string): readonly string[] => [
      process.execPath,
      join(packageRoot(), `dist/bin/${name}.mjs`),
      'serve',
      '--log',
      'off',
    ];
    this.start([...program('toolsrv'), '--no-auth', '--cwd', this.world.cwd, '--listen', this.at('toolsrv')]);
    this.start(program('olliesrv'));
    this.start(['dbus-daemon', '--session', '--nofork', `--address=unix:path=${this.at('bus')}`]);
    this.start(['dbus-daemon', '--session', '--nofork', `--address=unix:abstract=${this.at('bus')}`]);
    this.start([this.programs.path('fake-docker'), this.at('docker.sock')]);
    this.start(['ssh-agent', '-D', '-a', this.at('agent')]);
  }

  private start([program = '', ...args]: readonly string[]): void {
    const { uid, home, tmp } = this.world;
    const who = uid === process.getuid?.() ? {} : { uid, gid: uid };
    const env = { PATH: '/usr/bin:/bin', HOME: home, NAMESPACE: this.at(''), TMPDIR: tmp, OLLIE_CFG_PATH: join(home, 'config') };
    const child = spawn(program, args, { ...who, env, cwd: this.world.cwd, stdio: 'ignore' });
    this.children.push(child);
    this.ends.push(once(child, 'close'));
  }
}

function isOpen({ path }: Door): boolean {
  return readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .some((line) => line.endsWith(` ${path}`));
}
