import { ServedBench, ServedFile, ServedTree } from '#testkit';
import { DMDIR } from './file-server.js';

it('a stat whose mode and qid are of two types is a bug of the tree, and is not told', async () => {
  const tree = new ServedTree();
  const file = new ServedFile('odd', 5000, 0o444);
  const { stat } = file;
  file.stat = () => ({ ...stat.call(file), mode: DMDIR + 0o555 });
  tree.root.add(file);
  const bench = await ServedBench.start(tree);
  const client = await bench.dial();
  await expect(client.stat('odd')).rejects.toMatchObject({ message: 'i/o error: mode and qid of odd differ in type', posix: 'EIO' });
  expect(bench.bugs.map(String)).toEqual(['TypeError: mode and qid of odd differ in type']);
  expect((await client.stat('hello')).name).toBe('hello');
  await bench.close();
});
