import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Paths } from '#config';
import { encodeRunOrder, findHelper, loadPolicy, toolEnvironment, type RunOrder, type SandboxPolicy } from '#sandbox';
import { compileFixture } from './programs.js';
import { runHelper, startHelper, type HelperOptions, type Outcome, type Running } from './run-helper.js';

/** Who runs the helper: this user, and nobody as well when this is root. */
export const identities: readonly (readonly [string, number])[] =
  process.getuid?.() === 0
    ? [
        ['root', 0],
        ['nobody', 65534],
      ]
    : [['this user', process.getuid?.() ?? 0]];

/** A home, a working directory and a private TMPDIR of one user, and the helper copied to where that user can read it. */
export class World {
  readonly root = mkdtempSync('/tmp/ollie-world-');
  readonly home: string;
  readonly cwd: string;
  readonly tmp: string;
  readonly helper: string;
  readonly policy: SandboxPolicy;

  constructor(
    readonly uid: number,
    helper = findHelper(),
    name = 'helper',
  ) {
    if (helper === undefined) throw new Error('no helper: run node scripts/native.mjs');
    chmodSync(this.root, 0o755);
    [this.home, this.cwd, this.tmp] = [this.directory('home'), this.directory('work'), this.directory('tmp')];
    this.helper = join(this.root, name);
    copyFileSync(helper, this.helper);
    this.plantSecrets();
    this.policy = this.load();
  }

  /** The packaged policy for what is there by now. */
  load(cwd = this.cwd): SandboxPolicy {
    const paths = Paths.from({ HOME: this.home, OLLIE_CFG_PATH: join(this.root, 'config') });
    return loadPolicy(paths, { CWD: cwd, TMPDIR: this.tmp });
  }

  /** A file of this user; path relative to the world. */
  write(path: string, content: string | Uint8Array, mode = 0o644): string {
    const file = join(this.root, path);
    writeFileSync(file, content, { mode });
    chownSync(file, this.uid, this.uid);
    return file;
  }

  /** Compiles a program of test/sandbox/fixtures into the working directory. */
  compile(name: string): string {
    return compileFixture(name, this.cwd);
  }

  order(argv: readonly string[], change: Partial<RunOrder> = {}): RunOrder {
    const env = toolEnvironment(this.policy, { ...process.env, HOME: this.home, TMPDIR: this.tmp, PATH: '/usr/local/bin:/usr/bin:/bin' });
    return { policy: this.policy, cell: false, argv, cwd: this.cwd, env, graceMs: 2000, ...change };
  }

  run(argv: readonly string[], change: Partial<RunOrder> = {}, options: Partial<HelperOptions> = {}): Promise<Outcome> {
    return runHelper(encodeRunOrder(this.order(argv, change)), { ...this.options(), ...options });
  }

  start(argv: readonly string[], change: Partial<RunOrder> = {}, options: Partial<HelperOptions> = {}): Running {
    return startHelper(encodeRunOrder(this.order(argv, change)), { ...this.options(), ...options });
  }

  options(): HelperOptions {
    return { helper: this.helper, ...(this.uid === process.getuid?.() ? {} : { uid: this.uid }) };
  }

  offline(): SandboxPolicy {
    return { ...this.policy, network: false };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  private plantSecrets(): void {
    mkdirSync(join(this.home, '.ssh'));
    chownSync(join(this.home, '.ssh'), this.uid, this.uid);
    this.write('home/.ssh/id_ed25519', 'PRIVATE', 0o600);
    this.write('home/.gitconfig', '[user]\n\tname = Test\n\temail = test@example.org\n');
  }

  /** A directory of this user; path relative to the world. */
  directory(name: string): string {
    const path = join(this.root, name);
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, this.uid, this.uid);
    return path;
  }
}

/** True once the process is gone or a zombie of somebody else. */
export function isGone(pid: number): boolean {
  return !existsSync(`/proc/${pid}`);
}
