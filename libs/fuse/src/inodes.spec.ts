import { Inodes } from './inodes.js';

describe('the nodes that the kernel holds', () => {
  let inodes: Inodes;

  beforeEach(() => {
    inodes = new Inodes({ path: 7, mode: 0o555 });
  });

  const enter = (name: string, path: number, parent = inodes.get(1)) => inodes.enter({ parent, name, path, mode: 0o444, length: 0 });

  it('are one for one file at one place', () => {
    expect(enter('a', 10).id).toBe(enter('a', 10).id);
    expect(enter('b', 10).id).not.toBe(enter('a', 10).id);
  });

  it('are others below other directories', () => {
    const [one, other] = [enter('one', 20), enter('other', 21)];
    expect(enter('a', 10, one).id).not.toBe(enter('a', 10, other).id);
    expect(enter('a', 10, one).id).toBe(enter('a', 10, one).id);
  });

  it('are as the last lookup found them, and as long as the kernel was last told', () => {
    const { id } = enter('a', 10);
    inodes.enter({ parent: inodes.get(1), name: 'a', path: 10, mode: 0o660, length: 5 });
    expect(inodes.get(id)).toMatchObject({ mode: 0o660, length: 5 });
    inodes.told(id, 7);
    expect(inodes.get(id)).toMatchObject({ length: 7 });
    expect(() => inodes.told(99, 7)).not.toThrow();
  });

  it('are another when another file has the name, and the old one stays as it was', () => {
    const old = enter('a', 10);
    const fresh = enter('a', 11);
    expect(fresh.id).not.toBe(old.id);
    expect(inodes.get(old.id).path).toBe(10);
    inodes.forget(old.id, 1);
    expect(enter('a', 11).id).toBe(fresh.id);
  });

  it('go when every lookup of them is forgotten, and never come back under their number', () => {
    const { id } = enter('a', 10);
    enter('a', 10);
    expect(inodes.forget(id, 1)).toBe(false);
    expect(inodes.forget(id, 1)).toBe(true);
    expect(() => inodes.get(id)).toThrow('ESTALE');
    expect(enter('a', 10).id).not.toBe(id);
    expect(inodes.size).toBe(2);
  });

  it('keep the root for ever, and forgive to be told of strangers', () => {
    expect(inodes.forget(1, 1000)).toBe(false);
    expect(inodes.forget(99, 1)).toBe(false);
    expect(inodes.get(1).path).toBe(7);
  });

  it('keep their number and their children through a rename', () => {
    const directory = enter('old', 10);
    const child = enter('child', 11, directory);
    inodes.renamed(inodes.get(1), 'old', 'new');
    expect(enter('new', 10).id).toBe(directory.id);
    expect(child.parent?.name).toBe('new');
    expect(enter('child', 11, directory).id).toBe(child.id);
    expect(enter('old', 10).id).not.toBe(directory.id);
  });
});
