import { report, type World } from '#ninep-cli';
import { parseScriptedLine, USAGE } from './scripted/parse-scripted-line.js';
import { serveScripts } from './scripted/serve-scripts.js';

const OK = 0;

/** `o scripted`: gives the exit code. `argv` is what follows the word. A signal ends the server in order, with 0. */
export async function scripted(argv: readonly string[], world: World, signal: AbortSignal): Promise<number> {
  try {
    const line = parseScriptedLine(argv);
    if (line === 'help') await world.stdout.write(USAGE);
    else await serveScripts(line, world, signal);
    return OK;
  } catch (error) {
    return await report('o scripted', error, world);
  }
}
