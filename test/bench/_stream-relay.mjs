// The least that can stand between provider and reader: each connection to SOCKET is one stream of the provider, passed on as it comes.
import { request } from 'node:http';
import { createServer } from 'node:net';

const [socket, port] = process.argv.slice(2);

const server = createServer((reader) => {
  const call = request({ port, host: '127.0.0.1', method: 'POST', path: '/v1/chat/completions' }, (response) => response.pipe(reader));
  call.end('{}');
  reader.on('error', () => call.destroy());
});
server.listen(socket, () => process.stdout.write('listening\n'));
