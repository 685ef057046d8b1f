import { fakeTool, FakeToolCatalog } from '#testkit';
import { ToolRegistry } from './tool-registry.js';

describe('the tools of agents', () => {
  test('a loaded tool belongs to one agent only', () => {
    const registry = new ToolRegistry(new FakeToolCatalog([fakeTool({ name: 'shell' })]));
    registry.load('a', 'shell');
    expect(registry.loaded('a').map((tool) => tool.name)).toEqual(['shell']);
    expect(registry.lookup('a', 'shell')?.info.name).toBe('shell');
    expect(registry.loaded('b')).toEqual([]);
    expect(registry.lookup('b', 'shell')).toBeUndefined();
    expect(registry.revision('b')).toBe(0);
  });

  test('each load and unload counts the revision up, a refused one does not', () => {
    const registry = new ToolRegistry(new FakeToolCatalog([fakeTool({ name: 'shell' })]));
    registry.load('a', 'shell');
    registry.load('a', 'shell');
    expect(registry.revision('a')).toBe(2);
    registry.unload('a', 'shell');
    expect(registry.revision('a')).toBe(3);
    expect(() => registry.load('a', 'nothing')).toThrow('no such tool: nothing');
    expect(() => registry.unload('a', 'shell')).toThrow('no such tool: shell');
    expect(() => registry.unload('z', 'shell')).toThrow('no such tool: shell');
    expect(registry.revision('a')).toBe(3);
    expect(registry.revision('z')).toBe(0);
  });

  test('loaded tools are sorted by name', () => {
    const registry = new ToolRegistry(new FakeToolCatalog([fakeTool({ name: 'b' }), fakeTool({ name: 'c' }), fakeTool({ name: 'a' })]));
    for (const name of ['c', 'a', 'b']) registry.load('x', name);
    expect(registry.loaded('x').map((tool) => tool.name)).toEqual(['a', 'b', 'c']);
  });

  test('a tool keeps the form in which it was loaded until it is loaded again', () => {
    const catalog = new FakeToolCatalog([fakeTool({ name: 'shell', description: 'old' })]);
    const registry = new ToolRegistry(catalog);
    registry.load('a', 'shell');
    catalog.tools = [fakeTool({ name: 'shell', description: 'new' })];
    expect(registry.loaded('a')[0]?.description).toBe('old');
    registry.load('a', 'shell');
    expect(registry.loaded('a')[0]?.description).toBe('new');
  });
});
