import { ByteLog } from './byte-log.js';
import { command } from './command.js';
import { control } from './control.js';
import { DataBuffer } from './data-buffer.js';
import { data } from './data.js';
import { dir, dirOf } from './dir.js';
import { message } from './message.js';
import { mount } from './mount.js';
import { stream } from './stream.js';
import { text } from './text.js';
import type { Call, Children, TreeNode } from './types.js';
import { FileDeniedError } from './errors.js';

class Pet {
  readonly notes = new DataBuffer(100);
  readonly log = new ByteLog();
  constructor(
    readonly id: string,
    public name: string,
  ) {}
}

class Zoo {
  readonly pets = new Map<string, Pet>();
  add(id: string, name: string): Pet {
    const pet = new Pet(id, name);
    this.pets.set(id, pet);
    return pet;
  }
}

const pets: Children<Zoo, Pet> = {
  label: '{pet}',
  *entries(zoo) {
    for (const pet of zoo.pets.values()) yield [pet.name, pet];
  },
  find: (zoo, name) => zoo.pets.get(name) ?? [...zoo.pets.values()].find((pet) => pet.name === name),
  rename: (_zoo, pet, name) => {
    pet.name = name;
  },
  remove: (zoo, pet) => void zoo.pets.delete(pet.id),
};

const petDirectory = dir<Pet>({
  name: text('The name', (p) => `${p.name}\n`),
  notes: data('Notes', (p) => p.notes),
  log: stream('A log', (p) => p.log),
  ctl: control('Control', { feed: command('Feed it', () => undefined) }),
  more: dir<Pet>({ id: text('The id', (p) => `${p.id}\n`) }),
});

const namespace = dir<Zoo>(
  {
    pet: dirOf<Zoo, Pet>({ idx: text('Index', (z) => `${z.pets.size}\n`), new: message('Add a pet', () => undefined) }, pets, petDirectory),
    mail: dirOf<Zoo, Pet>(
      {},
      { label: '{pet}', entries: (zoo) => pets.entries(zoo), find: (zoo, name) => pets.find(zoo, name) },
      message('Write to it', () => undefined),
    ),
  },
  { aliases: { p: 'pet' } },
);

const CALL: Call = { signal: new AbortController().signal, client: { role: 'user', uname: 'u', aname: '', tag: 't' } };

function bench() {
  const zoo = new Zoo();
  zoo.add('17-a', 'rex');
  zoo.add('17-b', 'tom');
  const root = mount(namespace, zoo);
  const at = (path: string): TreeNode => {
    const node = path.split('/').reduce<TreeNode | undefined>((from, name) => from?.walk(name), root);
    if (!node) throw new Error(`${path} is missing`);
    return node;
  };
  return { zoo, root, at };
}

const names = (node: TreeNode) => node.list().map((child) => child.name);

describe('a mounted tree', () => {
  it('lists fixed entries in the order of the table and children after them', () => {
    const { root, at } = bench();
    expect(names(root)).toEqual(['pet', 'mail']);
    expect(names(at('pet'))).toEqual(['idx', 'new', 'rex', 'tom']);
    expect(names(at('pet/rex'))).toEqual(['name', 'notes', 'log', 'ctl', 'more']);
    expect(names(at('mail'))).toEqual(['rex', 'tom']);
  });

  it('walks to names, aliases and unlisted names of children, and to nothing else', () => {
    const { root, at } = bench();
    expect(at('p/17-b/more/id').id).toBe(at('pet/tom/more/id').id);
    expect(at('p').name).toBe('pet');
    for (const name of ['', '.', 'nobody', '__proto__', 'constructor', 'toString']) expect(root.walk(name)).toBeUndefined();
  });

  it('walks up, and stays at the root', () => {
    const { root, at } = bench();
    expect(root.walk('..')).toBe(root);
    expect(at('pet/rex/more/../..').id).toBe(at('pet').id);
    expect(at('pet/rex/name').parent.id).toBe(at('pet/rex').id);
    expect(() => at('pet/idx').walk('x')).toThrow('not a directory');
  });

  it('gives every object and row its own id, and the same one always', () => {
    const { root, at } = bench();
    const paths = ['pet', 'mail', 'pet/idx', 'pet/rex', 'pet/tom', 'pet/rex/name', 'pet/tom/name', 'pet/rex/more', 'mail/rex', 'mail/tom'];
    const ids = paths.map((path) => at(path).id);
    expect(new Set([root.id, ...ids]).size).toBe(paths.length + 1);
    expect(paths.map((path) => at(path).id)).toEqual(ids);
  });

  it('keeps id, state and open nodes through a rename', async () => {
    const { zoo, at } = bench();
    const before = at('pet/rex');
    const { id } = at('pet/rex/notes');
    zoo.pets.get('17-a')?.notes.replace('hi', '');
    await before.rename('fido', CALL);
    expect(at('pet/fido').id).toBe(before.id);
    expect(at('pet/fido/notes').id).toBe(id);
    expect((await before.stat()).name).toBe('fido');
    expect((await before.walk('notes')?.stat())?.length).toBe(2);
    expect(() => at('pet/rex')).toThrow('missing');
  });

  it('gives a new object under an old name a new id', () => {
    const { zoo, at } = bench();
    const { id } = at('pet/rex/name');
    zoo.pets.delete('17-a');
    zoo.add('17-c', 'rex');
    expect(at('pet/rex/name').id).not.toBe(id);
  });

  it('tells the listed name of what was walked to by another', async () => {
    const { at } = bench();
    expect((await at('pet/17-a').stat()).name).toBe('rex');
  });

  it('asks the children for the listed name where they can tell', async () => {
    const zoo = new Zoo();
    zoo.add('1', 'rex');
    const named: Children<Zoo, Pet> = { ...pets, nameOf: (pet) => `${pet.name}!` };
    const root = mount(dir<Zoo>({ pet: dirOf({}, named, petDirectory) }), zoo);
    expect((await root.walk('pet')?.walk('1')?.stat())?.name).toBe('rex!');
  });

  it('removes and renames children only where the table can', async () => {
    const { zoo, at } = bench();
    await at('pet/tom').remove(CALL);
    expect([...zoo.pets.keys()]).toEqual(['17-a']);
    for (const path of ['pet', 'pet/rex/name', 'pet/rex/more', 'mail/rex']) {
      expect(() => at(path).remove(CALL)).toThrow(FileDeniedError);
      expect(() => at(path).rename('x', CALL)).toThrow('permission denied');
    }
  });

  it('tells facts of directories, whose version changes with their children', async () => {
    const { zoo, at } = bench();
    const first = await at('pet').stat();
    expect(first).toMatchObject({ isDirectory: true, mode: 0o555, length: 0, name: 'pet' });
    expect((await at('pet').stat()).version).toBe(first.version);
    zoo.add('17-c', 'new pet');
    expect((await at('pet').stat()).version).toBe(first.version + 1);
    expect(at('pet').version).toBe(first.version + 1);
  });

  it('sets the length of data files, accepts 0 on what can be written, and nothing else', async () => {
    const { zoo, at } = bench();
    const notes = zoo.pets.get('17-a')?.notes;
    notes?.replace('content', '');
    await at('pet/rex/notes').truncate(3, CALL);
    expect(notes?.text).toBe('con');
    await at('pet/rex/ctl').truncate(0, CALL);
    expect(() => at('pet/rex/ctl').truncate(1, CALL)).toThrow('permission denied');
    for (const path of ['pet/rex/name', 'pet/rex/log', 'pet/rex']) expect(() => at(path).truncate(0, CALL)).toThrow('permission denied');
  });

  it('does not open or list what it cannot', () => {
    const { at } = bench();
    expect(() => at('pet').open({ read: true, write: false, truncate: false }, CALL.client)).toThrow('is a directory');
    expect(() => at('pet/idx').list()).toThrow('not a directory');
  });

  it('hides a child that has the name of a fixed entry', () => {
    const { zoo, at } = bench();
    zoo.add('17-d', 'idx');
    expect(names(at('pet'))).toEqual(['idx', 'new', 'rex', 'tom']);
    expect(at('pet/idx').isDirectory).toBe(false);
  });
});

describe('a table', () => {
  it('refuses an alias of nothing, and one that hides an entry', () => {
    const idx = text<object>('Index', () => '');
    expect(() => dir({ idx }, { aliases: { i: 'index' } })).toThrow('no entry');
    expect(() => dir({ idx, i: idx }, { aliases: { i: 'idx' } })).toThrow('hides');
  });
});
