import { Shared } from './shared.js';

const never = new AbortController().signal;

/** Work that ends when the test says so. */
class Bench {
  readonly begun: { readonly signal: AbortSignal; readonly resolve: (value: string) => void; readonly reject: (error: Error) => void }[] =
    [];
  readonly shared = new Shared<string>((signal) => new Promise((resolve, reject) => void this.begun.push({ signal, resolve, reject })));
}

describe('work that is shared', () => {
  it('is done once for all who ask meanwhile, and anew for who asks later', async () => {
    const { shared, begun } = new Bench();
    const both = Promise.all([shared.result(never), shared.result(never)]);
    begun[0]?.resolve('one');
    expect(await both).toEqual(['one', 'one']);
    const later = shared.result(never);
    begun[1]?.resolve('two');
    expect(await later).toBe('two');
    expect(begun).toHaveLength(2);
  });

  it('fails for all, and is tried anew by who asks later', async () => {
    const { shared, begun } = new Bench();
    const both = Promise.allSettled([shared.result(never), shared.result(never)]);
    begun[0]?.reject(new Error('no'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    void shared.result(never);
    expect(begun).toHaveLength(2);
  });

  it('goes on when one of them leaves, and is given up when the last one does', async () => {
    const { shared, begun } = new Bench();
    const [first, second] = [new AbortController(), new AbortController()];
    const waits = [shared.result(first.signal), shared.result(second.signal)].map((wait) => expect(wait).rejects.toThrow('left'));
    first.abort(new Error('left'));
    await waits[0];
    expect(begun[0]?.signal.aborted).toBe(false);
    second.abort(new Error('left'));
    await waits[1];
    expect(begun[0]?.signal.aborted).toBe(true);
    void shared.result(never);
    expect(begun).toHaveLength(2);
  });

  it('does not begin for who has left before', async () => {
    const { shared, begun } = new Bench();
    await expect(shared.result(AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    expect(begun).toHaveLength(0);
  });

  it('that is renewed goes on for who waits for it already', async () => {
    const { shared, begun } = new Bench();
    const old = shared.result(never);
    shared.renew();
    const fresh = shared.result(never);
    begun[1]?.resolve('new');
    begun[0]?.resolve('old');
    expect([await old, await fresh]).toEqual(['old', 'new']);
  });
});
