import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { httpFetch } from './http-fetch.js';

describe('an answer that no server should give', () => {
  let server: Server;
  let answer: string;

  beforeEach(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(answer));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => server.close());

  function fetched(signal?: AbortSignal): Promise<Response> {
    const address = server.address();
    return httpFetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`, signal ? { signal } : {});
  }

  it('a change of the protocol ends the request', async () => {
    answer = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
    await expect(fetched()).rejects.toThrow('the connection was closed');
  });

  it.each(['101', '000', '600', '999'])('status %s is none', async (status) => {
    answer = `HTTP/1.1 ${status} Odd\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi`;
    await expect(fetched()).rejects.toThrow(`answered with status ${Number(status)}`);
  });

  it('an encoding that is called as what every object has is not known', async () => {
    answer = 'HTTP/1.1 400 Odd\r\ncontent-encoding: constructor\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi';
    const response = await fetched();
    expect([response.status, await response.text()]).toEqual([400, 'hi']);
  });
});
