import { TagTable } from './tag-table.js';

describe('a table by tag', () => {
  let table: TagTable<{ readonly name: string }>;

  beforeEach(() => {
    table = new TagTable();
  });

  it('holds one value for each tag there is', () => {
    const tags = [0, 1, 63, 64, 65, 127, 128, 4095, 65534, 65535];
    for (const tag of tags) table.set(tag, { name: String(tag) });
    expect(tags.map((tag) => table.get(tag)?.name)).toEqual(tags.map(String));
    expect(table.size).toBe(tags.length);
    expect(table.values().map(({ name }) => name)).toEqual(tags.map(String));
  });

  it('has nothing for another tag', () => {
    table.set(64, { name: 'sixty-four' });
    expect([0, 63, 65, 128, 65535].map((tag) => table.get(tag))).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it('puts a value in the place of the one before', () => {
    table.set(7, { name: 'first' });
    table.set(7, { name: 'second' });
    expect(table.get(7)).toEqual({ name: 'second' });
    expect(table.size).toBe(1);
  });

  it('lets go of a value, once', () => {
    table.set(7, { name: 'a' });
    table.set(8, { name: 'b' });
    for (const tag of [7, 7, 9, 700]) table.delete(tag);
    expect(table.get(7)).toBeUndefined();
    expect(table.values()).toEqual([{ name: 'b' }]);
    expect(table.size).toBe(1);
  });
});
