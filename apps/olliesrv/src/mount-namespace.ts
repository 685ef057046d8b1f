import { type Log, messageOf } from '#config';
import { Mount, MountError } from '#fuse';
import { findHelper } from '#sandbox';
import type { NinePStrategy } from '#transport-ninep';

/** Mounts what this process serves. MountError, a sentence, when that cannot be. A mount that somebody takes away is logged. */
export async function mountNamespace(strategy: NinePStrategy, directory: string, log: Log): Promise<Mount> {
  const helper = findHelper();
  if (helper === undefined) throw new MountError('the helper that mounts is not built; run: npm run setup');
  const mount = await Mount.start({
    tree: { attach: async (tag) => ({ root: await strategy.attach(tag) }) },
    directory,
    helper,
    onBug: (error) => log.error(`mount: ${messageOf(error)}`),
  });
  log.info(`mounted on ${mount.directory}`);
  void mount.ended.then(() => {
    if (!mount.isClosing) log.warn(`${mount.directory} is mounted no more; clients of the other doors do not notice`);
  });
  return mount;
}
