import { eventually, FakeKernel, ServedDir, words } from '#testkit';

describe('an open of a directory', () => {
  let root: ServedDir;
  let kernel: FakeKernel;
  let opened = 0;
  let wait: Promise<void> | undefined;

  beforeEach(async () => {
    [opened, wait] = [0, undefined];
    root = new ServedDir('/', 1);
    const inner = root.add(new ServedDir('inner', 2));
    inner.open = (async () => {
      opened++;
      await wait;
      return { read: () => Buffer.alloc(0), write: () => undefined, close: () => void opened-- };
    }) as never;
    kernel = await FakeKernel.start({ attach: () => ({ root }) });
  });

  it('keeps nothing open in the tree, and is let go of once', async () => {
    const node = await kernel.lookup('inner');
    const { body } = await kernel.ask(27, node, words(0, 0));
    expect(opened).toBe(0);
    const fh = body.readUInt32LE(0);
    const listed = await kernel.ask(28, node, words(fh, 0, 0, 0, 4096, 0, 0, 0, 0, 0));
    expect([listed.body.readUInt32LE(0), listed.body.readUInt32LE(32)]).toEqual([2, 1]); // the numbers of . and ..
    expect(await kernel.ask(29, node, words(fh, 0))).toMatchObject({ errno: undefined });
    expect(await kernel.ask(29, node, words(fh, 0))).toMatchObject({ errno: 'EBADF' });
    expect(await kernel.ask(28, node, words(fh, 0, 0, 0, 4096, 0, 0, 0, 0, 0))).toMatchObject({ errno: 'EBADF' });
  });

  it('that is interrupted leaves nothing to be let go of', async () => {
    const node = await kernel.lookup('inner');
    let go: () => void = () => undefined;
    wait = new Promise((resolve) => (go = resolve));
    const { unique, reply } = kernel.send(27, node, words(0, 0));
    await eventually(() => opened === 1);
    kernel.interrupt(unique);
    expect(await reply).toMatchObject({ errno: 'EINTR' });
    go();
    await eventually(() => opened === 0);
    await new Promise(setImmediate);
    wait = undefined;
    const { body } = await kernel.ask(27, node, words(0, 0));
    expect(body.readUInt32LE(0)).toBe(1); // the first number: none was given away
  });
});
