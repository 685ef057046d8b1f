import { describeKind } from '#testkit';
import { DataBuffer } from './data-buffer.js';
import { data } from './data.js';
import { dir } from './dir.js';
import { TooLongError } from './errors.js';
import { MemoryClient } from './memory-client.js';
import { mount } from './mount.js';

const NEVER = new AbortController().signal;

class Plan {
  readonly plan = new DataBuffer(64);
  constructor(content = '- [ ] one\n') {
    this.plan.replace(content, '');
  }
}

const row = data<Plan>('A plan', (p) => p.plan);

describeKind<Plan>('data', {
  row,
  subject: () => new Plan(),
  mode: 0o664,
  content: '- [ ] one\n',
  request: 'xyz',
  length: 'that of the content',
  effects: (p) => p.plan.text,
  change: (p) => p.plan.replace('- [x] one\n', 'someone'),
});

function bench() {
  const plan = new Plan();
  const root = mount(dir<Plan>({ plan: row }), plan);
  return { plan: plan.plan, node: root.walk('plan'), client: new MemoryClient(root, { uname: 'glenda' }) };
}

describe('data', () => {
  it('writes in place at an offset and fills a gap with zeros', async () => {
    const { plan, client } = bench();
    const handle = await client.open('plan', { read: false, write: true, truncate: false });
    await handle.write(3, Buffer.from('x'), { signal: NEVER });
    await handle.write(12, Buffer.from('end'), { signal: NEVER });
    expect(plan.text).toBe('- [x] one\n\0\0end');
    expect(plan.muid).toBe('glenda');
  });

  it('is cleared by opening with truncation, and by setting the length', async () => {
    const { plan, client, node } = bench();
    await client.write('plan', 'short');
    expect(plan.text).toBe('short');
    await node?.truncate(2, { signal: NEVER, client: { role: 'user', uname: 'rob', aname: '', tag: 't' } });
    expect(plan.text).toBe('sh');
    expect(plan.muid).toBe('rob');
  });

  it('refuses what is above its limit and keeps what it has', async () => {
    const { plan, client } = bench();
    await expect(client.write('plan', 'y'.repeat(65))).rejects.toThrow(TooLongError);
    expect(plan.text).toBe('');
    const handle = await client.open('plan', { read: false, write: true, truncate: false });
    expect(() => handle.write(60, Buffer.from('12345'), { signal: NEVER })).toThrow(TooLongError);
    expect(() => handle.write(2 ** 40, Buffer.from('1'), { signal: NEVER })).toThrow('message too long');
  });

  it('leaves bytes alone that a reader was given', async () => {
    const { client } = bench();
    const handle = await client.open('plan', { read: true, write: true, truncate: false });
    const given = await handle.read(0, 3, { signal: NEVER });
    await handle.write(0, Buffer.from('###'), { signal: NEVER });
    expect(Buffer.from(given).toString()).toBe('- [');
  });
});
