import { Checkout, lockOf } from './checkout.js';

const NOISE = `process.stdout.write('bundle: a 12 KiB\\n'); process.stderr.write('notice: b\\n');`;

describe('what the set-up says', () => {
  let checkout: Checkout;

  beforeEach(() => {
    checkout = new Checkout();
  });
  afterEach(() => checkout.remove());

  /** With a dependency that is missing, an npm that `script` is, and a bundler that is noisy and then does `end`. */
  function setup(script: string, end: string): ReturnType<Checkout['setup']> {
    checkout.add('package-lock.json', lockOf({ 'node_modules/x': { version: '2.0.0' } }));
    checkout.addProgram('bin/npm', `echo 'npm notice'; echo 'npm warn' >&2; ${script}`);
    checkout.add(
      'scripts/bundle.mjs',
      `import { mkdirSync, writeFileSync } from 'node:fs';\nmkdirSync('dist/bin', { recursive: true });\nwriteFileSync('dist/bin/.built', '');\n${NOISE}\n${end}\n`,
    );
    return checkout.setup([], { path: `${checkout.path('bin')}:${process.env.PATH}` });
  }

  it('is one short line a stage, whatever npm and the bundler say', async () => {
    const { code, stdout, stderr } = await setup('cp package-lock.json node_modules/.package-lock.json', '');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(
      /^setup: installing dependencies \(npm ci\)\nsetup: sandbox helper built with (?:musl-g)?cc\nsetup: programs built in \d+ ms\n$/,
    );
  });

  it('is all of npm’s words when npm fails', async () => {
    const { code, stdout, stderr } = await setup('exit 3', '');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^setup: installing dependencies \(npm ci\)\n(npm notice\nnpm warn|npm warn\nnpm notice)\nsetup: npm ci failed \(its own words are above\)/,
    );
  });

  it('is all of the bundler’s words when the programs cannot be built', async () => {
    const { code, stderr } = await setup('cp package-lock.json node_modules/.package-lock.json', "throw new Error('no such import: x');");
    expect(stderr).toMatch(/bundle: a 12 KiB\n/);
    expect(stderr).toMatch(
      /notice: b\n[^]*Error: no such import: x\n[^]*setup: the programs could not be built \(the reason is above\)\n$/,
    );
    expect(code).toBe(1);
  });
});
