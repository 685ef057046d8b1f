import { join } from 'node:path';
import { interleaved, ratios, runToEnd } from './_measure.mjs';
import { connect, startServer } from './_servers.mjs';

const ROUNDS = 40;
const BASE = 'plain spawn of sh -c true';

/** One sandboxed call of the shell tool through toolsrv, over a plain spawn of the same command. */
export async function rows() {
  const server = await startServer('toolsrv', (folder) => [
    'serve',
    '--cwd',
    `${folder}/work`,
    '--listen',
    `${folder}/t.sock`,
    '--no-auth',
  ]);
  const client = await connect(join(server.folder, 't.sock'), 'bench');
  await client.writeAll('ctl', 'load bench shell\n');
  const call = async () => {
    const answer = String(Buffer.from(await client.ask('proc/new', 'tool=shell\nagent=bench\ncmd=true\n')));
    if (JSON.parse(answer).isError) throw new Error(answer);
  };
  const works = { [BASE]: () => runToEnd('/bin/sh', ['-c', 'true']), 'shell tool, sandboxed, through toolsrv': call };
  await interleaved(works, 5);
  const medians = await interleaved(works, ROUNDS);
  client.close();
  await server.stop();
  return ratios(medians, BASE);
}
