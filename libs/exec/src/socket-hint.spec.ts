import { parsePolicy } from '#sandbox';
import { denialHints } from './denial-hint.js';
import { socketHint } from './socket-hint.js';

const HINT = '[sandbox: network.unix lists no socket, so tools reach none of others, and before Linux 7.1 have none of their own]';
const closed = parsePolicy('network: { enabled: true }\n', 'p', {});
const offline = parsePolicy('network: { enabled: false }\n', 'p', {});
const open = { ...closed, grants: [{ path: '/run/x', access: 'rw' as const, origin: 'p', socket: true as const }] };

describe('a hint on a Unix socket', () => {
  it.each([
    'LOG:  could not create Unix socket for address "/w/.s.PGSQL.5432": Permission denied',
    'listen unix /w/s: socket: permission denied',
    'dial unix /var/run/docker.sock: socket: permission denied',
    'socket: Permission denied',
    '2026/01/01 socat[7] E socket(1, 1, 0): Permission denied',
    'dbus-daemon: Failed to start message bus: Failed to create socket: Permission denied',
    'Error: listen EACCES: permission denied /w/s.sock',
  ])('is drawn from %j', (line) => {
    expect(socketHint(`before\n${line}\nbehind\n`, closed)).toEqual([HINT]);
    expect(socketHint(line, open)).toEqual([]);
  });

  it.each([
    '',
    'cat: /w/socket/file: Permission denied',
    'cat: /w/unix: Permission denied',
    "Error: EACCES: permission denied, open '/w/file'",
    'bind: Permission denied',
    'socket: Connection refused',
    'listen tcp 127.0.0.1:80: bind: permission denied',
    `socket: ${'x'.repeat(4096)} permission denied`,
  ])('is not made up from %j', (line) => {
    expect(socketHint(line, closed)).toEqual([]);
  });

  it('is not drawn from a socket of any kind where the network is off', () => {
    expect(socketHint('socket: Permission denied', offline)).toEqual([]);
    expect(socketHint('dial unix /w/s: connect: permission denied', offline)).toEqual([HINT]);
  });

  it('stands with those on paths', () => {
    expect(denialHints({ output: 'socket: Permission denied\n', cwd: '/', isCell: true }, closed)).toEqual([HINT]);
  });
});
