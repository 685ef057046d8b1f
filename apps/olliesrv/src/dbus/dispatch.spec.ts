import { type BusInterface, method } from './bus-interface.js';
import { BusCallError } from './bus-call-error.js';
import type { BusCall } from './bus-messages.js';
import { Dispatch } from './dispatch.js';
import { MANAGER_PATH } from './object-path.js';

const door: BusInterface<{ readonly greeting: string }, never> = {
  name: 'org.ollie.Door',
  methods: {
    Greet: method([{ who: 's', title: 's' }, { words: 's' }], ({ greeting }, [who = '', title = '-']) => [`${greeting} ${title} ${who}`], {
      isLastOptional: true,
    }),
    Leave: method([{}, {}], () => []),
  },
  signals: {},
};

function call(member: string, body: readonly unknown[] = [], over: Partial<BusCall> = {}): BusCall {
  const signature = body.map((value) => (typeof value === 'string' ? 's' : 'u')).join('');
  return { sender: ':1.1', path: MANAGER_PATH, interface: door.name, member, signature, body, ...over };
}

describe('a call from the bus', () => {
  const admitted: string[] = [];
  const dispatch = new Dispatch(door, { greeting: 'hello' }, async ({ sender }) => {
    if (sender === ':1.13') throw new Error('not you');
    admitted.push(sender);
  });

  async function nameOfError(wrong: BusCall): Promise<string> {
    const error: unknown = await dispatch.answer(wrong).catch((reason: unknown) => reason);
    return error instanceof BusCallError ? error.errorName.replace('org.freedesktop.DBus.Error.', '') : String(error);
  }

  it('runs a method', async () => {
    expect(await dispatch.answer(call('Greet', ['Ann', 'Dr']))).toEqual({ signature: 's', body: ['hello Dr Ann'] });
    expect(await dispatch.answer(call('Leave'))).toEqual({ signature: '', body: [] });
  });

  it('needs no last argument where it is optional, and no interface', async () => {
    expect(await dispatch.answer(call('Greet', ['Ann'], { interface: '' }))).toEqual({ signature: 's', body: ['hello - Ann'] });
  });

  it('is refused by name', async () => {
    expect(await nameOfError(call('Greet'))).toBe('InvalidArgs');
    expect(await nameOfError(call('Greet', ['a', 'b', 'c']))).toBe('InvalidArgs');
    expect(await nameOfError(call('Greet', [7]))).toBe('InvalidArgs');
    expect(await nameOfError(call('Leave', ['now']))).toBe('InvalidArgs');
    expect(await nameOfError(call('constructor'))).toBe('UnknownMethod');
    expect(await nameOfError(call('Greet', ['a'], { interface: 'a.b' }))).toBe('UnknownInterface');
    expect(await nameOfError(call('Greet', ['a'], { path: '/org/ollie' }))).toBe('UnknownInterface');
    expect(await nameOfError(call('Greet', ['a'], { path: '/else' }))).toBe('UnknownObject');
    expect(await nameOfError(call('Greet', ['x'.repeat(16 * 1024 * 1024 + 1)]))).toContain('message too long');
  });

  it('runs nothing for who is not admitted', async () => {
    admitted.length = 0;
    expect(await nameOfError(call('Leave', [], { sender: ':1.13' }))).toContain('not you');
    await dispatch.answer(call('Ping', [], { interface: 'org.freedesktop.DBus.Peer', sender: ':1.13' }));
    await dispatch.answer(call('Introspect', [], { interface: 'org.freedesktop.DBus.Introspectable', path: '/' }));
    expect(admitted).toEqual([]);
  });
});
