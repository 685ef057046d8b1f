import { AbortedError, Backend, NotFoundError, TransientError, type ModelInfo, type StreamEvent } from '#model';
import { ConfiguredBackends } from './configured-backends.js';

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

function catalog(backends: readonly Backend[], env: Record<string, string> = {}): ConfiguredBackends {
  const offers = backends.map((backend) => ({ name: backend.name, make: () => backend }));
  return new ConfiguredBackends(offers, { known: ['acme', 'zeta', 'scripted'], env, models: { date: '2026-11-20' } });
}

describe('the configured backends', () => {
  const acme = new ListedBackend('acme', ['z', 'a']);
  const zeta = new ListedBackend('zeta', ['m']);
  const scripted = new ListedBackend('scripted', ['default']);

  it('are listed in the order of the offers, and made when they are asked for', () => {
    const make = jest.fn(() => acme);
    const lazy = new ConfiguredBackends([{ name: 'zeta', make: () => zeta }, { name: 'acme', make }], { known: [], env: {}, models: { date: undefined } }); // prettier-ignore
    expect(lazy.names()).toEqual(['zeta', 'acme']);
    expect(make).not.toHaveBeenCalled();
    expect([lazy.get('acme'), lazy.get('acme')]).toEqual([acme, acme]);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('others are refused', () => {
    expect(() => catalog([scripted]).get('acme')).toThrow(new NotFoundError('backend', 'acme'));
  });

  it('prefers the first real one, or what OLLIE_BACKEND names; scripted only when it is named', () => {
    expect(catalog([scripted]).preferred()).toBeUndefined();
    expect(catalog([zeta, acme, scripted]).preferred()).toBe(zeta);
    expect(catalog([zeta, acme, scripted], { OLLIE_BACKEND: 'acme' }).preferred()).toBe(acme);
    expect(catalog([acme, scripted], { OLLIE_BACKEND: 'scripted' }).preferred()).toBe(scripted);
    expect(catalog([acme, scripted], { OLLIE_BACKEND: '' }).preferred()).toBe(acme);
  });

  it('never puts another one in the place of the one that OLLIE_BACKEND names', () => {
    expect(catalog([acme], { OLLIE_BACKEND: 'zeta' }).preferred()).toBeUndefined();
    expect(() => catalog([acme], { OLLIE_BACKEND: 'zetta' }).preferred()).toThrow('no such backend: zetta');
  });

  it('lists models sorted by backend and model, and leaves out a backend that fails', async () => {
    const dead = new ListedBackend('dead', new TransientError('dead: no', { backend: 'dead' }));
    expect(await catalog([zeta, dead, acme, scripted]).models(never)).toEqual([
      ['acme', 'a'],
      ['acme', 'z'],
      ['scripted', 'default'],
      ['zeta', 'm'],
    ]);
  });

  it('an abort is not taken for a backend that fails', async () => {
    const aborted = new ListedBackend('aborted', new AbortedError('aborted', { backend: 'aborted' }));
    await expect(catalog([aborted]).models(never)).rejects.toBeInstanceOf(AbortedError);
  });

  it('a bug in a backend is not taken for a backend that fails', async () => {
    const buggy = new ListedBackend('buggy', new TypeError('oops'));
    await expect(catalog([buggy]).models(never)).rejects.toThrow('oops');
  });

  it('drop what they have cached when they are told to', async () => {
    const one = new ListedBackend('one', ['m']);
    const all = catalog([one]);
    await all.models(never);
    await all.models(never);
    all.invalidate();
    await all.models(never);
    expect(one.lists).toBe(2);
  });
});
