import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tcpDoors } from './tcp-doors.js';

describe('the doors of --tcp', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tcp-doors-'));
    file = join(folder, 'secret');
    writeFileSync(file, '  s3cret \n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are none without it', () => {
    expect(tcpDoors({})).toEqual([]);
  });

  it.each([
    ['tcp!127.0.0.1!564', 'tcp!127.0.0.1!564'],
    ['127.0.0.1!564', 'tcp!127.0.0.1!564'],
    ['localhost:564', 'tcp!localhost:564'],
    ['localhost', 'tcp!localhost!5640'],
    ['tcp!*', 'tcp!*!5640'],
  ])('is for %s at %s', (given, address) => {
    expect(tcpDoors({ tcp: [given], tcpNoAuth: true })).toEqual([{ address, role: 'guest' }]);
  });

  it('are all of one kind: for guests, or for who knows the secret', async () => {
    const tcp = ['a', 'b:1'];
    expect(tcpDoors({ tcp, tcpNoAuth: true }).map(({ role }) => role)).toEqual(['guest', 'guest']);
    const doors = tcpDoors({ tcp, tcpSecretFile: file });
    expect(doors.map(({ address, role }) => [address, role])).toEqual([
      ['tcp!a!5640', undefined],
      ['tcp!b:1', undefined],
    ]);
    const conversation = await doors[0]?.authenticate?.({ uname: 'u', aname: '' });
    expect(() => conversation?.write(Buffer.from('guess'))).toThrow('bad secret');
    await conversation?.write(Buffer.from('s3cret'));
    expect(conversation?.done).toBe(true);
  });

  it.each([
    ['no word on who may come', { tcp: ['a'] }, '--tcp needs --tcp-secret-file FILE'],
    ['two words', { tcp: ['a'], tcpSecretFile: 'x', tcpNoAuth: true }, 'exclude each other'],
    ['guests and no address', { tcpNoAuth: true }, 'need --tcp ADDRESS'],
    ['a secret and no address', { tcpSecretFile: 'x' }, 'need --tcp ADDRESS'],
    ['a port that is none', { tcp: ['a:99999'], tcpNoAuth: true }, 'illegal argument'],
    ['a secret that cannot be read', { tcp: ['a'], tcpSecretFile: '/nonexistent' }, '--tcp-secret-file: ENOENT'],
  ])('are refused for %s', (_what, flags, message) => {
    expect(() => tcpDoors(flags)).toThrow(message);
  });

  it('are refused for an empty secret', () => {
    writeFileSync(file, ' \n');
    expect(() => tcpDoors({ tcp: ['a'], tcpSecretFile: file })).toThrow(`--tcp-secret-file: ${file} is empty`);
  });
});
