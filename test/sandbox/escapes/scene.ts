import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, copyFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnvironment, type RunOrder, type SandboxPolicy } from '#sandbox';
import type { Programs } from '../programs.js';
import { World } from '../world.js';
import { Listeners } from './listeners.js';
import { Neighbour } from './neighbour.js';

/** A world full of things that a tool shall not get, and somebody outside who sees whether it did. What is asked for is made. */
export class Scene {
  private constructor(
    readonly world: World,
    readonly programs: Programs,
    readonly neighbour: Neighbour,
    readonly listeners: Listeners,
    /** The content of everything that is closed. Nobody inside is told. */
    readonly secret: string,
  ) {}

  static async open(programs: Programs, uid: number): Promise<Scene> {
    const secret = `secret-${randomBytes(12).toString('hex')}`;
    const world = new World(uid);
    programs.copy('reach', world.cwd);
    world.directory('work/part');
    const [home, doors] = [world.directory('home/neighbour'), world.directory('home/doors')];
    const neighbour = await Neighbour.start({ program: programs.path('neighbour'), secret, home, doors, uid });
    return new Scene(world, programs, neighbour, await Listeners.open(world.cwd, secret), secret);
  }

  /** A closed directory of its own with a file `secret`. */
  closed(name: string): string {
    const path = join(this.world.home, name);
    if (existsSync(path)) return path;
    this.world.directory(`home/${name}`);
    this.world.write(`home/${name}/secret`, this.secret, 0o600);
    return path;
  }

  /** A closed file. */
  file(name: string): string {
    return join(this.closed(name), 'secret');
  }

  /** A path in a closed directory where nothing is. */
  nothing(name: string): string {
    return join(this.closed(name), 'nothing');
  }

  closedProgram(name: string): string {
    this.closed(name);
    return this.world.write(`home/${name}/program`, `#!/bin/sh\necho ${this.secret}\n`, 0o755);
  }

  emptyDirectory(name: string): string {
    this.closed(name);
    return this.world.directory(`home/${name}/nothing`);
  }

  /** Where the neighbour works. */
  get busyDirectory(): string {
    return join(this.world.home, 'neighbour');
  }

  inOtherSession(): string {
    this.world.directory('tmp-other');
    return this.world.write('tmp-other/file', this.secret, 0o600);
  }

  /** A directory that may be read, and run if it says so, but not written. */
  given(directory: 'readable' | 'runnable'): string {
    const path = join(this.world.root, directory);
    return existsSync(path) ? path : this.world.directory(directory);
  }

  runnable(name: string): string {
    const path = join(this.given('runnable'), name);
    return existsSync(path) ? path : this.world.write(`runnable/${name}`, this.secret, 0o755);
  }

  /** A program of the system where it may be read only. */
  readableProgram(name: string): string {
    const path = join(this.given('readable'), name);
    copyFileSync(join('/bin', name), path);
    return path;
  }

  /** This program as one that runs as root, and a file that only root may read, both in the working directory. */
  filesOfRoot(): readonly [program: string, secret: string] {
    const program = this.world.write('work/of-root', readFileSync(this.programs.path('reach')));
    const secret = this.world.write('work/secret-of-root', this.secret, 0o600);
    for (const path of [program, secret]) chownSync(path, 0, 0);
    chmodSync(program, 0o4755);
    return [program, secret];
  }

  holds(path: string, text: string): boolean {
    return existsSync(path) && statSync(path).isFile() && readFileSync(path, 'utf8').includes(text);
  }

  /** The packaged policy and the directories that are given. `network`: whether it is on. */
  policy(network: boolean, ...more: readonly string[]): SandboxPolicy {
    const { policy } = this.world;
    const given = [
      { path: this.given('readable'), access: 'ro' as const, origin: 'test' },
      { path: this.given('runnable'), access: 'rox' as const, origin: 'test' },
      ...more.map((path) => ({ path, access: 'rwx' as const, origin: 'test' })),
    ];
    return { ...policy, network, grants: [...policy.grants, ...given] };
  }

  /** With a key among the variables, as far as the policy passes it; without a policy all of it. */
  environment(policy: SandboxPolicy | undefined): RunOrder['env'] {
    const all = { ...this.world.order(['true']).env, OPENAI_API_KEY: this.secret };
    return policy ? toolEnvironment(policy, all) : all;
  }

  /** Ends the neighbour, which then says what became of its things. */
  async finish(): Promise<void> {
    await this.listeners.settle();
    await this.neighbour.end();
  }

  async close(): Promise<void> {
    await this.neighbour.end();
    await this.listeners.close();
    this.world.remove();
  }
}
