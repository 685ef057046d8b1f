import { Checkout, lockOf } from './checkout.js';

const oneMissing = { 'node_modules/left': { version: '1.0.0', resolved: 'http://127.0.0.1:9/left.tgz' } };

describe('a set-up that cannot succeed says in one sentence why and what to do', () => {
  let checkout: Checkout;

  beforeEach(() => {
    checkout = new Checkout();
  });
  afterEach(() => checkout.remove());

  it('without a C compiler', async () => {
    const { code, stderr, stdout } = await checkout.setup(['show.mjs'], { path: checkout.path('empty') });
    expect(stderr).toBe(
      'setup: no C compiler was found (tried cc, gcc, clang) to build the sandbox helper, without which no tool may run; ' +
        'install one (Debian, Ubuntu: apt-get install -y gcc libc6-dev) and run the command again\n',
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('with a compiler that cannot build the helper', async () => {
    checkout.add('native/main.c', 'int main(void) { return missing; }\n');
    const { code, stderr } = await checkout.setup([]);
    expect(stderr).toMatch(
      /^setup: cc could not build the sandbox helper \(Debian, Ubuntu: are gcc and libc6-dev installed\?\):\n[^]*missing/,
    );
    expect(code).toBe(1);
  });

  it('with a bundler that fails', async () => {
    checkout.add('scripts/bundle.mjs', "process.stderr.write('its own words\\n');\nprocess.exitCode = 1;\n");
    const { code, stdout, stderr } = await checkout.setup(['show.mjs']);
    expect(stderr).toMatch(/\nits own words\nsetup: the programs could not be built \(the reason is above\)\n$/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it.each([['v16.20.2'], ['v18.20.8'], ['v20.18.9']])('on Node %s where no Node of ours is packaged', async (version) => {
    const { code, stderr } = await checkout.setup([], { preload: `Object.defineProperty(process, 'version', { value: '${version}' });` });
    expect(stderr).toBe(`setup: Node ${version} is too old; install Node 20.19 or later and run the command again\n`);
    expect(code).toBe(1);
  });

  it('on a Node that is too old for the set-up itself, also where a Node of ours is packaged', async () => {
    checkout.addProgram(`node_modules/node-linux-${process.arch}/bin/node`, 'exit 0');
    const { code, stderr } = await checkout.setup([], { preload: "Object.defineProperty(process, 'version', { value: 'v16.20.2' });" });
    expect(stderr).toBe('setup: Node v16.20.2 is too old; install Node 20.19 or later and run the command again\n');
    expect(code).toBe(1);
  });

  it('on another system than Linux', async () => {
    const { code, stderr } = await checkout.setup([], { preload: "Object.defineProperty(process, 'platform', { value: 'darwin' });" });
    expect(stderr).toBe('setup: Ollie runs on Linux only, and this is darwin; use a Linux machine, container or virtual machine\n');
    expect(code).toBe(1);
  });

  it('without npm', async () => {
    checkout.add('package-lock.json', lockOf(oneMissing));
    const { code, stderr } = await checkout.setup([], { path: checkout.path('empty') });
    expect(stderr).toContain('setup: npm was not found on PATH; install npm 10 or later');
    expect(code).toBe(1);
  });

  it('without a network at the first install', async () => {
    checkout.add('package.json', '{ "name": "ollie", "version": "0.0.0", "dependencies": { "left": "1.0.0" } }');
    checkout.add('package-lock.json', lockOf({ '': { name: 'ollie', version: '0.0.0', dependencies: { left: '1.0.0' } }, ...oneMissing }));
    const env = {
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_cache: checkout.path('cache'),
      npm_config_userconfig: checkout.path('npmrc'),
    };
    const { code, stderr } = await checkout.setup(['show.mjs'], { env });
    expect(stderr).toContain('setup: npm ci failed (its own words are above); the first run needs the network to reach a package registry');
    expect(code).toBe(1);
  }, 60_000);
});
