import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { Paths } from '#config';
import {
  encodeRunOrder,
  explainCommand,
  loadPolicy,
  policyOn,
  SandboxConfigError,
  toolEnvironment,
  TrustedFiles,
  type ExplainedPolicy,
} from './index.js';

describe('sockets that a policy opens', () => {
  let root: string;
  let paths: Paths;
  const servers: Server[] = [];
  beforeEach(async () => {
    root = realpathSync(mkdtempSync('/tmp/ollie-sockets-'));
    for (const name of ['home', 'repo/.git', 'tmp', 'run', 'config', 'data']) mkdirSync(join(root, name), { recursive: true });
    paths = Paths.from({ HOME: join(root, 'home'), OLLIE_CFG_PATH: join(root, 'config'), OLLIE_DATA_PATH: join(root, 'data') });
    for (const name of ['run/one.sock', 'run/two.sock', 'repo/dev.sock']) await listen(name);
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
    rmSync(root, { recursive: true });
  });

  const listen = async (name: string): Promise<string> => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    const server = createServer((socket) => socket.destroy()).listen(join(root, name));
    servers.push(server);
    await once(server, 'listening');
    return join(root, name);
  };
  const put = (path: string, content: string): string => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content.replaceAll('ROOT', root));
    return join(root, path);
  };
  const load = (name = 'default', variables = {}): ExplainedPolicy =>
    loadPolicy(paths, { CWD: join(root, 'repo'), TMPDIR: join(root, 'tmp'), ...variables }, { type: 'usual', name });
  const loadBase = (text: string, variables = {}): ExplainedPolicy => {
    put('config/sandbox.yaml', text);
    return load('default', variables);
  };
  const opened = ({ grants }: ExplainedPolicy): readonly string[] =>
    grants.filter(({ socket }) => socket === true).map(({ access, path }) => `${access} ${path.slice(root.length)}`);
  const unixRecords = (policy: ExplainedPolicy): readonly string[] => {
    const order = { policy, cell: false, argv: ['true'], cwd: '/', env: {}, graceMs: 0 };
    return Buffer.from(encodeRunOrder(order))
      .toString()
      .split('\0')
      .filter((record) => record.startsWith('unix=') || record.includes('.sock'));
  };

  it('are none, where nobody lists any', () => {
    const policy = loadBase("filesystem: { rwx: ['{CWD}'] }\n");
    expect(opened(policy)).toEqual([]);
    expect(unixRecords(policy)).toEqual([]);
  });

  it('are those that network.unix lists, each with its origin; the order opens the family for them', () => {
    const policy = loadBase("network:\n  enabled: false\n  unix: ['ROOT/run/one.sock', '{CWD}/dev.sock']\n");
    expect(opened(policy)).toEqual(['rw /run/one.sock', 'rw /repo/dev.sock']);
    expect(policy.grants[0]?.origin).toBe(`${root}/config/sandbox.yaml:3: network.unix[0]`);
    expect(unixRecords(policy)).toEqual(['unix=1', `rw=${root}/run/one.sock`, `rw=${root}/repo/dev.sock`]);
    expect(policy).toMatchObject({ network: false, notes: [] });
  });

  it('go by what a link leads to, which a cell is told of', () => {
    symlinkSync(join(root, 'run'), join(root, 'alias'));
    const policy = loadBase("network: { unix: ['ROOT/alias/one.sock', 'ROOT/run/one.sock'] }\n");
    expect(opened(policy)).toEqual(['rw /run/one.sock']);
    expect(policy.links).toContain(join(root, 'alias'));
  });

  it('are not led out of a directory that tools may write', () => {
    symlinkSync(join(root, 'run/one.sock'), join(root, 'repo/link.sock'));
    const policy = loadBase("filesystem: { rw: ['{CWD}'] }\nnetwork: { unix: ['{CWD}/link.sock'] }\n");
    expect(opened(policy)).toEqual([]);
    expect(policy.notes).toEqual([expect.stringContaining('is a link to')]);
  });

  it.each([
    ['unix: ROOT/run/one.sock', 'network.unix: expected a list'],
    ['unix: [one.sock]', 'network.unix[0]: not an absolute path: one.sock'],
    ['unix: [ROOT/run/../run/one.sock]', 'network.unix[0]: ".." in a path'],
    ['unix: [ROOT/run]', 'network.unix[0]: ROOT/run is not a socket'],
    ['unix: [ROOT/data]', 'network.unix[0]: ROOT/data is not a socket'],
    ['unix: ["{PWD}/x"]', 'network.unix[0]: unknown variable {PWD}'],
    ['sockets: []', 'network: unknown key "sockets" (known: enabled, unrestricted, unix)'],
  ])('%s is refused: %s', (text, message) => {
    expect(() => loadBase(`network: { ${text} }\n`)).toThrow(SandboxConfigError);
    expect(() => load()).toThrow(`${root}/config/sandbox.yaml:1: ${message.replaceAll('ROOT', root)}`);
  });

  it('are skipped when they are not there, under best effort, and refused otherwise', () => {
    const text = 'network: { unix: [ROOT/run/none.sock] }\n';
    const policy = loadBase(text);
    expect(policy.notes).toEqual([`${root}/config/sandbox.yaml:1: network.unix[0]: no such path: ${root}/run/none.sock; skipped`]);
    expect(unixRecords(policy)).toEqual([]);
    expect(() => loadBase(`general: { best_effort: false }\n${text}`)).toThrow('network.unix[0]: no such path');
  });

  it('are never what is Ollie’s own or denied', async () => {
    const NAMESPACE = join(root, 'run/ns');
    for (const name of ['run/ns/ollie', 'data/s/toolsrv.sock', 'config/tools/x.sock']) await listen(name);
    const text =
      'network: { unix: [ROOT/run/ns/ollie, ROOT/data/s/toolsrv.sock, ROOT/config/tools/x.sock, ROOT/run/one.sock, ROOT/run/two.sock] }\n';
    const policy = loadBase(`${text}filesystem: { deny: [ROOT/run/one.sock] }\n`, { NAMESPACE });
    expect(opened(policy)).toEqual(['rw /run/two.sock']);
    expect(policy.notes).toEqual([
      expect.stringContaining(`${root}/run/ns/ollie is Ollie's namespace; not granted`),
      expect.stringContaining(`${root}/data/s/toolsrv.sock is Ollie's data; not granted`),
      expect.stringContaining(`${root}/config/tools/x.sock is a directory of tools; not granted`),
      expect.stringContaining(`${root}/run/one.sock is closed by ${root}/config/sandbox.yaml:2: filesystem.deny[0]; not granted`),
    ]);
  });

  it('are not opened by a grant of the directory that holds them, nor by filesystem.rw', () => {
    const policy = loadBase("filesystem: { rw: ['ROOT/run', 'ROOT/run/one.sock'] }\n");
    expect(unixRecords(policy)).toEqual([]);
    expect(policy.notes).toEqual([expect.stringContaining('run/one.sock is a socket: network.unix lists those; skipped')]);
  });

  describe('and a named policy', () => {
    const BASE = "filesystem: { rwx: ['{CWD}'] }\nnetwork: { unix: ['ROOT/run/one.sock', 'ROOT/run/two.sock'] }\n";
    it.each<readonly [string, readonly string[]]>([
      ['env: [PATH]', ['rw /run/one.sock', 'rw /run/two.sock']],
      ['network: { unix: [ROOT/run/two.sock, ROOT/repo/dev.sock] }', ['rw /run/two.sock']],
      ['network: { unix: [] }', []],
      ["filesystem: { rwx: ['{CWD}'] }", []],
      ['filesystem: { rw: [ROOT/run] }', ['rw /run/one.sock', 'rw /run/two.sock']],
      ['filesystem: { rox: [/] }', []],
      ['filesystem: { deny: [ROOT/run] }', []],
    ])('%s leaves %j', (text, expected) => {
      put('config/sandbox.yaml', BASE);
      put('config/sandbox/mine.yaml', `${text}\n`);
      expect(opened(load('mine'))).toEqual(expected);
    });

    it.each(['offline', 'readonly'])('%s, which is packaged, opens none', (name) => {
      put('config/sandbox.yaml', BASE);
      expect(opened(load(name))).toEqual([]);
    });
  });

  describe('and a project', () => {
    it('cannot list more until its file is trusted', () => {
      put('config/sandbox.yaml', "filesystem: { rwx: ['{CWD}'] }\nnetwork: { unix: [ROOT/run/one.sock] }\n");
      const file = put('repo/.ollie-sandbox.yaml', "network: { unix: [ROOT/run/one.sock, ROOT/run/two.sock, '{CWD}/dev.sock'] }\n");
      const policy = load();
      expect(opened(policy)).toEqual(['rw /run/one.sock']);
      expect(policy.notes).toEqual(
        [`1: network.unix[1]: ${root}/run/two.sock`, `1: network.unix[2]: ${root}/repo/dev.sock`].map(
          (what) => `${file}:${what} would widen the policy; no effect until you trust this file (toolsrv sandbox trust ${file})`,
        ),
      );
      new TrustedFiles(paths.data).add(file);
      expect(opened(load())).toEqual(['rw /run/one.sock', 'rw /run/two.sock', 'rw /repo/dev.sock']);
    });

    it('closes one by denying it', () => {
      put('config/sandbox.yaml', 'network: { unix: [ROOT/run/one.sock] }\n');
      put('repo/.ollie-sandbox.yaml', 'filesystem: { deny: [ROOT/run/one.sock] }\n');
      expect(opened(load())).toEqual([]);
    });
  });

  it.each([
    ['run/docker.sock', 'can become root on this machine'],
    ['run/podman/podman.sock', 'can become root on this machine'],
    ['run/containerd/containerd.sock', 'can become root on this machine'],
    ['run/lxd/unix.socket', 'can become root on this machine'],
    ['run/libvirt/libvirt-sock', 'can become root on this machine'],
    ['run/user/7/bus', 'can run programs outside of the sandbox'],
    ['run/dbus/system_bus_socket', 'can run programs outside of the sandbox'],
    ['run/user/7/systemd/private', 'can run programs outside of the sandbox'],
    ['run/tmux-7/default', 'can run programs outside of the sandbox'],
    ['run/gnupg/S.gpg-agent', 'can use your keys'],
    ['run/ssh-x/agent.41', 'can use your keys'],
    ['run/.X11-unix/X0', 'can watch your screen and type for you'],
    ['run/wayland-0', 'can watch your screen and type for you'],
  ])('%s, once opened, is warned of: whoever may connect %s', async (name, power) => {
    const path = await listen(name);
    const { notes } = loadBase(`network: { unix: ['${path}'] }\n`);
    expect(notes).toEqual([`${root}/config/sandbox.yaml:1: network.unix[0]: WARNING: whoever may connect to ${path} ${power}`]);
  });

  describe('and the agent of ssh', () => {
    const environment = (policy: ExplainedPolicy, SSH_AUTH_SOCK: string) => toolEnvironment(policy, { SSH_AUTH_SOCK, PATH: '/bin' });

    it('is named to a tool only where the policy opens its socket', async () => {
      const SSH_AUTH_SOCK = join(root, 'run/one.sock');
      const text = 'env: [PATH, SSH_AUTH_SOCK]\n';
      const withheld = loadBase(`${text}network: { unix: [ROOT/run/two.sock] }\n`, { SSH_AUTH_SOCK });
      expect(environment(withheld, SSH_AUTH_SOCK)).toEqual({ PATH: '/bin' });
      expect(withheld.notes).toEqual([
        `${root}/config/sandbox.yaml:1: env[1]: SSH_AUTH_SOCK is withheld: network.unix does not open the agent's socket`,
      ]);
      symlinkSync(join(root, 'run'), join(root, 'alias'));
      for (const variable of [SSH_AUTH_SOCK, join(root, 'alias/one.sock')]) {
        const passed = loadBase(`${text}network: { unix: ['{SSH_AUTH_SOCK}'] }\n`, { SSH_AUTH_SOCK: variable });
        expect(environment(passed, variable)).toEqual({ PATH: '/bin', SSH_AUTH_SOCK: variable });
        expect(opened(passed)).toEqual(['rw /run/one.sock']);
        expect(passed.notes).toEqual([expect.stringContaining('can use your keys')]);
      }
    });

    it('is not passed to a tool that it is not listed for, nor opened without a value', () => {
      const SSH_AUTH_SOCK = join(root, 'run/one.sock');
      const text = "network: { unix: ['{SSH_AUTH_SOCK}'] }\n";
      expect(environment(loadBase(`${text}env: [PATH]\n`, { SSH_AUTH_SOCK }), SSH_AUTH_SOCK)).toEqual({ PATH: '/bin' });
      const unset = loadBase(`${text}env: [SSH_AUTH_SOCK]\n`);
      expect(opened(unset)).toEqual([]);
      expect(unset.notes).toContain(`${root}/config/sandbox.yaml:1: network.unix[0]: {SSH_AUTH_SOCK} is not set; skipped`);
    });
  });

  describe('what is said of them', () => {
    const place = { cwd: '/', path: '/usr/bin:/bin' };
    const all = (): { read: boolean; write: boolean; execute: boolean } => ({ read: true, write: true, execute: false });

    it('names the key of one that is closed', () => {
      const policy = loadBase('filesystem: { rox: [/usr], rw: [ROOT/run] }\n');
      const socket = join(root, 'run/one.sock');
      expect(policyOn(policy, socket, all)).toBe(`${socket} is a socket; network.unix would let tools connect to it`);
      expect(explainCommand(policy, ['true', socket], place).find(({ path }) => path === socket)).toMatchObject({
        denied: 'connecting: network.unix',
      });
    });

    it('has nothing against one that is open', () => {
      const policy = loadBase('filesystem: { rox: [/usr] }\nnetwork: { unix: [ROOT/run/one.sock] }\n');
      const socket = join(root, 'run/one.sock');
      expect(policyOn(policy, socket, all)).toBeUndefined();
      expect(explainCommand(policy, ['true', socket], place).find(({ path }) => path === socket)).toEqual({
        what: 'argument',
        path: socket,
        access: 'rw',
        denied: undefined,
      });
    });
  });
});
