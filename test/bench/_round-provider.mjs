// A provider on loopback that has the shell tool called ROUNDS times a turn and then answers. A line of its output tells when each request came.
import { createServer } from 'node:http';

const rounds = Number(process.argv[2]);

const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

function callsSinceUser(messages) {
  const from = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(from).filter(({ role }) => role === 'tool').length;
}

function answer(messages) {
  const calls = callsSinceUser(messages);
  if (calls >= rounds) return chunk({ role: 'assistant', content: 'done' }) + chunk({}, 'stop');
  const call = { index: 0, id: `call_${messages.length}`, type: 'function', function: { name: 'shell', arguments: '{"cmd":"true"}' } };
  return chunk({ role: 'assistant', tool_calls: [call] }) + chunk({}, 'tool_calls');
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify({ object: 'list', data: [{ id: 'm', object: 'model' }] }));
  const came = process.hrtime.bigint();
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const { messages } = JSON.parse(Buffer.concat(pieces).toString());
  process.stdout.write(`request ${came} ${messages.length}\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${answer(messages)}data: [DONE]\n\n`);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
