import { CommandError } from '#ninep-cli';
import { findHelper, probe } from '#sandbox';

/** The version of Landlock that this kernel offers. Throws a sentence for a person when there is none, or no helper to ask. */
export async function requireLandlock(signal: AbortSignal): Promise<number> {
  const helper = findHelper();
  if (helper === undefined) throw new CommandError('the sandbox helper is not built; run: npm run setup');
  const { landlock } = await probe(helper, signal);
  if (landlock > 0) return landlock;
  throw new CommandError(
    'this kernel has no Landlock, and no tool runs without it; use Linux 5.13 or later with `landlock` listed in /sys/kernel/security/lsm',
  );
}
