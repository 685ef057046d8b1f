import { unmountPoint } from '#fuse';
import { CommandError, report, type World } from '#ninep-cli';
import { findHelper } from '#sandbox';
import { inBackground } from './mount/in-background.js';
import { inForeground } from './mount/in-foreground.js';
import { parseMountLine, USAGE } from './mount/parse-mount-line.js';

const OK = 0;

/** `mount` and `umount`: gives the exit code. A signal ends a mount in the foreground in order, with 0. */
export async function mount(argv: readonly string[], world: World, signal: AbortSignal): Promise<number> {
  try {
    return await run(argv, world, signal);
  } catch (error) {
    return await report(`o ${argv[0] ?? 'mount'}`, error, world);
  }
}

async function run(argv: readonly string[], world: World, signal: AbortSignal): Promise<number> {
  const line = parseMountLine(argv, world.env);
  if (line === 'help') {
    await world.stdout.write(USAGE);
    return OK;
  }
  const helper = findHelper();
  if (helper === undefined) throw new CommandError('the helper that mounts is not built; run: npm run setup');
  if (line.verb === 'umount') await unmountPoint(helper, line.directory);
  else if (!line.foreground) return inBackground(argv, world);
  else await inForeground(line, helper, world, signal);
  return OK;
}
