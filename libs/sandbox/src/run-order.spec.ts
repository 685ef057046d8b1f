import fc from 'fast-check';
import { encodeCellOrder, encodeInnerOrder, encodeRunOrder, RunOrderError, type RunOrder, type SandboxPolicy } from './index.js';

const policy: SandboxPolicy = {
  bestEffort: false,
  network: true,
  grants: [
    { path: '/usr', access: 'rox', origin: '' },
    { path: '/w', access: 'rwx', origin: '' },
  ],
  env: [],
  ldd: false,
  addExec: false,
  cell: true,
  links: ['/bin'],
  notes: [],
};
const order: RunOrder = { policy, cell: false, argv: ['sh', '-c', 'a=b\nc'], cwd: '/w', env: { A: '1=2', B: '' }, graceMs: 1500.4 };
const records = (given: RunOrder): readonly string[] => Buffer.from(encodeRunOrder(given)).toString().split('\0');

describe('an encoded run order', () => {
  it('holds every part as a record, the end last', () => {
    const policyPart = ['version=1', 'policy=enforce', 'best_effort=0', 'network=1', 'rox=/usr', 'rwx=/w'];
    const callPart = ['cwd=/w', 'grace=1500', 'env=A=1=2', 'env=B=', 'arg=sh', 'arg=-c', 'arg=a=b\nc', 'end=', ''];
    expect(records(order)).toEqual([...policyPart, ...callPart]);
  });

  it('without a policy asks for no enforcement, and grants nothing', () => {
    expect(records({ ...order, policy: undefined }).slice(0, 3)).toEqual(['version=1', 'policy=none', 'cwd=/w']);
  });

  it('of a cell holds the links that lead to what is granted', () => {
    const policyPart = ['version=1', 'policy=enforce', 'best_effort=0', 'network=1', 'rox=/usr', 'rwx=/w', 'cell=1', 'link=/bin'];
    expect(records({ ...order, cell: true }).slice(0, 9)).toEqual([...policyPart, 'cwd=/w']);
    expect(Buffer.from(encodeCellOrder(order)).toString().split('\0')).toEqual([...policyPart, 'cwd=/w', 'end=', '']);
  });

  it('to a cell leaves the policy to it', () => {
    const [version, inner, cwd] = Buffer.from(encodeInnerOrder(order)).toString().split('\0');
    expect([version, inner, cwd]).toEqual(['version=1', 'policy=cell', 'cwd=/w']);
  });

  it('makes one cell of grants that come to the same', () => {
    const grants = [{ path: '/t', access: 'rox', origin: '' } as const, ...policy.grants];
    const one = encodeCellOrder({ ...order, policy: { ...policy, grants } });
    const other = encodeCellOrder({ ...order, policy: { ...policy, grants: [...grants, { path: '/t/x', access: 'ro', origin: 'tool' }] } });
    expect(Buffer.from(other).toString()).toBe(Buffer.from(one).toString());
  });

  it('keeps the grace within an hour', () => {
    expect(records({ ...order, graceMs: -5 })).toContain('grace=0');
    expect(records({ ...order, graceMs: 1e12 })).toContain('grace=3600000');
  });

  it.each<readonly [string, Partial<RunOrder>, string]>([
    ['no program', { argv: [] }, 'no program'],
    ['an empty program', { argv: [''] }, 'no program'],
    ['a relative directory', { cwd: 'w' }, 'working directory is not absolute: w'],
    ['a variable without a name', { env: { '': 'x' } }, 'not a variable name'],
    ['a variable with = in its name', { env: { 'A=B': 'x' } }, 'not a variable name: A=B'],
    ['a relative grant', { policy: { ...policy, grants: [{ path: 'x', access: 'rw', origin: '' }] } }, 'granted path is not absolute: x'],
  ])('refuses %s', (_what, change, message) => {
    expect(() => encodeRunOrder({ ...order, ...change })).toThrow(RunOrderError);
    expect(() => encodeRunOrder({ ...order, ...change })).toThrow(message);
  });

  const text = fc.string({ unit: fc.constantFrom('a', '=', '\n', ' ', 'é', 'policy=none') });
  const texts = fc.tuple(text, text, text);
  const made = ([argument, value, directory]: readonly [string, string, string]): RunOrder => ({
    ...order,
    argv: ['sh', argument],
    env: { A: value },
    cwd: `/${directory}`,
  });

  it('keeps every text in its own record', () => {
    fc.assert(
      fc.property(texts, ([argument, value, directory]) => {
        const part = [`cwd=/${directory}`, 'grace=1500', `env=A=${value}`, 'arg=sh', `arg=${argument}`, 'end=', ''];
        expect(records(made([argument, value, directory])).slice(6)).toEqual(part);
      }),
    );
  });

  it('refuses a NUL byte wherever it is', () => {
    fc.assert(
      fc.property(texts, fc.nat(2), text, (given, place, after) => {
        const spoiled = given.map((part, index) => (index === place ? `${part}\0${after}` : part));
        const [argument = '', value = '', directory = ''] = spoiled;
        expect(() => encodeRunOrder(made([argument, value, directory]))).toThrow(/^NUL byte in (arg|env|cwd)$/);
      }),
    );
  });
});
