// A provider on loopback that streams the time of each token as its text: STREAMS at a time, RATE tokens a second, TOKENS each.
import { createServer } from 'node:http';

const [rate, tokens] = process.argv.slice(2).map(Number);
const PERIOD_MS = 1000 / rate;

const event = (content, finish = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;

/** A token each period from the first on, however late the one before was: intervals of one length would drift until all fire together. */
function stream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const begunMs = performance.now();
  let timer;
  let written = 0;
  const write = () => {
    response.write(event(`${process.hrtime.bigint()} `));
    written += 1;
    if (written === tokens) response.end(`${event('', 'stop')}data: [DONE]\n\n`);
    else timer = setTimeout(write, Math.max(1, begunMs + (written + 1) * PERIOD_MS - performance.now()));
  };
  timer = setTimeout(write, PERIOD_MS);
  response.on('close', () => clearTimeout(timer));
}

const server = createServer((request, response) => {
  request.resume();
  if (request.method === 'GET') response.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }] }));
  else request.once('end', () => setTimeout(() => stream(response), Math.random() * PERIOD_MS));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
