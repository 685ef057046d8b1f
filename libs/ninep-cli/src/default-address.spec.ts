import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultAddress } from './default-address.js';

describe('the address of the user’s server', () => {
  let root: string;
  let env: Readonly<Record<string, string>>;
  const at = (...names: readonly string[]): string => join(root, ...names);
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ollie-address-'));
    for (const name of ['ns', 'other', 'data']) mkdirSync(at(name), { mode: 0o700 });
    env = { HOME: root, NAMESPACE: at('ns'), OLLIE_DATA_PATH: at('data'), USER: `u${String(process.pid)}`, DISPLAY: ':77' };
  });
  afterEach(() => rmSync(root, { recursive: true }));
  const lock = (text: string): void => writeFileSync(at('data', 'lock'), text);

  test('is in the namespace, whatever the lock says', () => {
    writeFileSync(at('ns', 'ollie'), '');
    lock(JSON.stringify({ pid: 1, start: '1', address: `unix!${at('other', 'ollie')}` }));
    expect(defaultAddress(env)).toEqual({ type: 'unix', path: at('ns', 'ollie') });
  });

  test('is what the owner of the store says, when there is nothing in the namespace', () => {
    writeFileSync(at('other', 'ollie'), '');
    lock(JSON.stringify({ pid: 1, start: '1', address: `unix!${at('other', 'ollie')}` }));
    expect(defaultAddress(env)).toEqual({ type: 'unix', path: at('other', 'ollie') });
    chmodSync(at('other'), 0o755);
    expect(() => defaultAddress(env)).toThrow('0700');
  });

  test.each(['', '{', '[]', '{"address":7}', '{"address":"tcp!host!1"}', '{"address":"unix!/nowhere/ollie"}'])(
    'is not made up from the lock %j',
    (text) => {
      lock(text);
      expect(() => defaultAddress(env)).toThrow(`no server at unix!${at('ns', 'ollie')}; start one: olliesrv serve`);
    },
  );
});
