import { join } from 'node:path';
import { interleaved, ratios, runToEnd } from './_measure.mjs';
import { programs, root, startServer } from './_servers.mjs';

const ROUNDS = 15;
const BASE = 'node -e 0';

/** The time to the line that says it listens; the server is stopped outside of the measured time. */
function serverStart(name, argsFor, started) {
  return async () => started.push(await startServer(name, argsFor));
}

/** Start-up of each program, over a Node that does nothing. */
export async function rows() {
  const started = [];
  const help = (file) => () => runToEnd(process.execPath, [join(programs, file), '--help']);
  const medians = await interleaved(
    {
      [BASE]: () => runToEnd(process.execPath, ['-e', '0']),
      'o --help': help('o.cjs'),
      'bin/o --help': () => runToEnd(join(root, 'bin/o'), ['--help']),
      'o gen --help': () => runToEnd(join(root, 'bin/o'), ['gen', '--help']),
      'o gen, scripted': () => runToEnd(join(root, 'bin/o'), ['gen', '--backend', 'scripted', 'hi']),
      'ollie-9p --help': help('ollie-9p.cjs'),
      'olliesrv serve, to listening': serverStart('olliesrv', () => ['serve'], started),
      'toolsrv serve, to listening': serverStart(
        'toolsrv',
        (folder) => ['serve', '--cwd', folder, '--listen', join(folder, 't.sock'), '--no-auth'],
        started,
      ),
    },
    ROUNDS,
  );
  for (const server of started) await server.stop();
  return ratios(medians, BASE);
}
