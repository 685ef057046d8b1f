import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createProxy, type IncomingMessage, type Server } from 'node:http';
import { createServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { root, run } from '../support/run.js';
import { hasPrograms } from '../support/programs.js';
import { TempTree } from '../support/temp-tree.js';

const HOST = 'model.invalid';
const ANSWER = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'by the tunnel' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;

const describeTls = hasPrograms('openssl') ? describe : describe.skip;
describeTls('a provider behind a proxy, with a certificate of one’s own', () => {
  let tree: TempTree;
  let provider: Server;
  let proxy: Server;
  const asked: string[] = [];

  beforeAll(async () => {
    tree = new TempTree({});
    const made = ['-keyout', tree.path('key.pem'), '-out', tree.path('cert.pem'), '-days', '2', '-subj', `/CN=${HOST}`];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-addext', `subjectAltName=DNS:${HOST}`];
    execFileSync('openssl', ['req', '-x509', ...kind, ...made], { stdio: 'ignore' });
    provider = createServer({ key: readFileSync(tree.path('key.pem')), cert: readFileSync(tree.path('cert.pem')) }, (request, response) => {
      asked.push(`${request.method} ${request.headers.host}${request.url}`);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(ANSWER);
    });
    proxy = createProxy().on('connect', (request: IncomingMessage, socket: Duplex) => {
      asked.push(`${request.method} ${request.url}`);
      const server = connect(portOf(provider), '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      server.on('error', () => socket.destroy()).pipe(socket);
      socket.on('error', () => server.destroy()).pipe(server);
    });
    for (const server of [provider, proxy]) await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterAll(() => {
    for (const server of [provider, proxy]) {
      server.closeAllConnections();
      server.close();
    }
    tree.remove();
  });

  const gen = (more: NodeJS.ProcessEnv) =>
    run(join(root, 'bin/o'), ['gen', '--url', `https://${HOST}/v1`, '--model', 'm', 'hi'], {
      env: { PATH: process.env.PATH, HOME: tree.root, HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`, ...more },
    });

  it('is reached through HTTPS_PROXY, and trusted by NODE_EXTRA_CA_CERTS', async () => {
    expect(await gen({ NODE_EXTRA_CA_CERTS: tree.path('cert.pem') })).toMatchObject({ code: 0, stdout: 'by the tunnel\n' });
    expect(asked).toEqual([`CONNECT ${HOST}:443`, `POST ${HOST}/v1/chat/completions`]);
  });

  it('is not trusted without', async () => {
    expect(await gen({})).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot reach https:\/\/model\.invalid: self-signed certificate/),
    });
  });

  it('is asked straight where NO_PROXY names it', async () => {
    const { code, stderr } = await gen({ NO_PROXY: HOST });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot reach https:\/\/model\.invalid: getaddrinfo/)]);
  });
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port; // it listens
}
