import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { once } from 'node:events';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '#model';
import { root } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

/** The SDKs are told by the names of their own errors, which stay in what is built. */
const SDKS = ['OpenAIError', 'AnthropicError'];
/** Node's fetch, which takes 10 ms and more. */
const FETCH = 'NativeModule internal/deps/undici/undici';

/** Writes down, when the process ends, which files and which parts of Node it has loaded. */
const WITNESS = `
  const files = [];
  require('node:module').registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) files.push(url);
      return next(url, context);
    },
  });
  process.on('exit', () => require('node:fs').writeFileSync(process.env.LOADED, JSON.stringify({ files, parts: process.moduleLoadList })));
`;

const KEYS = { OLLIE_OPENAI_KEY: 'sk-1', OLLIE_ANTHROPIC_KEY: 'sk-2' };

interface Loaded {
  readonly files: readonly string[];
  readonly parts: readonly string[];
}

/** Only where Node can tell: from 22.15 on. */
const describeHooked = 'registerHooks' in module ? describe : describe.skip;

describeHooked('what a program loads before there is a request', () => {
  let tree: TempTree;
  beforeEach(() => {
    tree = new TempTree({ 'witness.cjs': WITNESS });
    mkdirSync(tree.path('ns'), { mode: 0o700 });
  });
  afterEach(() => tree.remove());

  async function loaded(program: string, args: readonly string[], until?: string): Promise<Loaded> {
    const env = {
      ...KEYS,
      PATH: process.env.PATH,
      HOME: tree.root,
      NAMESPACE: tree.path('ns'),
      NODE_OPTIONS: `--require ${tree.path('witness.cjs')}`,
      LOADED: tree.path('loaded.json'),
    };
    const child = spawn(join(root, 'bin', program), args, { env, cwd: tree.root, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (until !== undefined && text.includes(until)) child.kill('SIGTERM');
    });
    await once(child, 'close');
    const value = parseJson(readFileSync(tree.path('loaded.json'), 'utf8'));
    const list = (key: string): readonly string[] => (isJsonObject(value) && Array.isArray(value[key]) ? value[key].map(String) : []);
    return { files: list('files'), parts: list('parts') };
  }

  const sdksIn = ({ files }: Loaded): readonly string[] => {
    const texts = files.map((file) => readFileSync(new URL(file), 'utf8'));
    return SDKS.filter((name) => texts.some((text) => text.includes(name)));
  };

  it.each([
    ['olliesrv', ['serve'], 'listening on'],
    ['o', ['--help'], undefined],
    ['o', ['gen', '--help'], undefined],
    ['o', ['gen', '--backend', 'scripted', 'hi'], undefined],
  ])('%s %j: no SDK of a provider, and nothing of the fetch of Node', async (program, args, until) => {
    const seen = await loaded(program, args, until);
    expect(seen.files.length).toBeGreaterThan(0);
    expect(sdksIn(seen)).toEqual([]);
    expect(seen.parts.includes(FETCH)).toBe(false);
  });

  it.each([
    ['openai-chat', 'OpenAIError'],
    ['anthropic', 'AnthropicError'],
  ])('with a request the SDK of %s, and no other', async (dialect, mark) => {
    const seen = await loaded('o', ['gen', '--backend', dialect, '--url', 'http://127.0.0.1:1', '--model', 'm', 'hi']);
    expect(seen.parts.includes(FETCH)).toBe(true);
    expect(sdksIn(seen)).toEqual([mark]);
  });
});
