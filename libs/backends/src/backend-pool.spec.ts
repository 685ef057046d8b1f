import { AbortedError, Backend, NotFoundError, TransientError, type ModelInfo, type StreamEvent } from '#model';
import type { BackendDefinition } from './backend-definition.js';
import { BackendPool } from './backend-pool.js';

const paths = { config: '/nowhere', packaged: '/nowhere' };
const never = new AbortController().signal;

class ListedBackend extends Backend {
  readonly defaultModel = undefined;
  lists = 0;
  private cached: readonly ModelInfo[] | undefined;

  constructor(
    readonly name: string,
    private readonly ids: readonly string[] | Error,
  ) {
    super();
  }

  // eslint-disable-next-line require-yield
  async *stream(): AsyncIterable<StreamEvent> {
    throw new Error('not asked for');
  }

  async models(): Promise<readonly ModelInfo[]> {
    if (this.ids instanceof Error) throw this.ids;
    if (!this.cached) this.lists += 1;
    return (this.cached ??= this.ids.map((id) => ({ id })));
  }

  invalidate(): void {
    this.cached = undefined;
  }
}

function definition(backend: Backend, variable?: string): BackendDefinition {
  return { name: backend.name, isConfigured: ({ env }) => variable === undefined || env[variable] !== undefined, make: () => backend };
}

describe('the pool of backends', () => {
  const acme = new ListedBackend('acme', ['z', 'a']);
  const zeta = new ListedBackend('zeta', ['m']);
  const scripted = new ListedBackend('scripted', ['default']);
  const definitions = [definition(zeta, 'ZETA'), definition(acme, 'ACME'), definition(scripted)];
  const pool = (env: Record<string, string>, now?: () => number): BackendPool => new BackendPool(definitions, { env, paths }, now);

  it('lists what is configured in the order of the definitions', () => {
    expect(pool({}).names()).toEqual(['scripted']);
    expect(pool({ ACME: '1', ZETA: '1' }).names()).toEqual(['zeta', 'acme', 'scripted']);
  });

  it('gives a backend by name and refuses others', () => {
    expect(pool({ ACME: '1' }).get('acme')).toBe(acme);
    expect(() => pool({}).get('acme')).toThrow(new NotFoundError('backend', 'acme'));
  });

  it('prefers the first real one, or what OLLIE_BACKEND names; scripted only when it is named', () => {
    expect(pool({}).preferred()).toBeUndefined();
    expect(pool({ ACME: '1', ZETA: '1' }).preferred()).toBe(zeta);
    expect(pool({ ACME: '1', ZETA: '1', OLLIE_BACKEND: 'acme' }).preferred()).toBe(acme);
    expect(pool({ ACME: '1', OLLIE_BACKEND: 'scripted' }).preferred()).toBe(scripted);
    expect(pool({ ACME: '1', OLLIE_BACKEND: '' }).preferred()).toBe(acme);
  });

  it('never puts another one in the place of the one that OLLIE_BACKEND names', () => {
    expect(pool({ ACME: '1', OLLIE_BACKEND: 'zeta' }).preferred()).toBeUndefined();
    expect(() => pool({ ACME: '1', OLLIE_BACKEND: 'zetta' }).preferred()).toThrow('no such backend: zetta');
  });

  it('lists models sorted by backend and model, and leaves out a backend that fails', async () => {
    const dead = new ListedBackend('dead', new TransientError('dead: no', { backend: 'dead' }));
    const all = new BackendPool([...definitions, definition(dead)], { env: { ACME: '1', ZETA: '1' }, paths });
    expect(await all.models(never)).toEqual([
      ['acme', 'a'],
      ['acme', 'z'],
      ['scripted', 'default'],
      ['zeta', 'm'],
    ]);
  });

  it('an abort is not taken for a backend that fails', async () => {
    const aborted = new ListedBackend('aborted', new AbortedError('aborted', { backend: 'aborted' }));
    await expect(new BackendPool([definition(aborted)], { env: {}, paths }).models(never)).rejects.toBeInstanceOf(AbortedError);
  });

  it('a bug in a backend is not taken for a backend that fails', async () => {
    const buggy = new ListedBackend('buggy', new TypeError('oops'));
    await expect(new BackendPool([definition(buggy)], { env: {}, paths }).models(never)).rejects.toThrow('oops');
  });

  it('asks for the lists again after invalidate and after five minutes', async () => {
    let now = 1_000_000;
    const one = new ListedBackend('one', ['m']);
    const timed = new BackendPool([definition(one)], { env: {}, paths }, () => now);
    await timed.models(never);
    now += 299_000;
    await timed.models(never);
    expect(one.lists).toBe(1);
    timed.invalidate();
    await timed.models(never);
    expect(one.lists).toBe(2);
    now += 300_000;
    await timed.models(never);
    expect(one.lists).toBe(3);
  });
});
