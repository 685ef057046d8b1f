import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#config';
import { isJsonObject } from '#model';
import { DirectoryCatalog } from '#tools';

const folder = join(packageRoot(), 'config/tools');
const catalog = new DirectoryCatalog([folder], process.env.PATH ?? '');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length));

describe('the tools that ship with Ollie', () => {
  test('all of them can be loaded', () => {
    expect(catalog.entries().map(({ name, available }) => [name, available])).toEqual(names.sort().map((name) => [name, true]));
  });

  test.each(names)('%s describes each of its arguments in whole sentences', (name) => {
    const properties = catalog.find(name).info.inputSchema['properties'];
    const described = isJsonObject(properties) ? Object.values(properties) : [];
    expect(described.length).toBeGreaterThan(0);
    for (const property of described) expect(isJsonObject(property) && property['description']).toMatch(/[.)]$/);
  });
});
