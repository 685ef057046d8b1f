import { once } from 'node:events';
import { messageOf } from '#config';
import { Mount, RemoteTree } from '#fuse';
import { formatAddress, parseAddress } from '#ninep';
import { attachName, CommandError, defaultAddress, secretFrom, type World } from '#ninep-cli';
import type { MountLine } from './parse-mount-line.js';

/** Mounts, says so, and resolves when the mount was taken away or `signal` came. CommandError when the server has gone. */
export async function inForeground(line: MountLine, helper: string, world: World, signal: AbortSignal): Promise<void> {
  const address = line.address === undefined ? defaultAddress(world.env) : parseAddress(line.address);
  const tree = await dial(line, { address, world }, signal);
  try {
    const onBug = (error: unknown): void => void world.stderr.write(`o: mount: ${messageOf(error)}\n`);
    const mount = await Mount.start({ tree, directory: line.directory, helper, onBug });
    await world.stdout.write(`o: mounted ${formatAddress(address)} on ${mount.directory}\n`);
    await untilEnd(mount, tree, signal);
  } finally {
    tree.close();
  }
}

interface Place {
  readonly address: ReturnType<typeof parseAddress>;
  readonly world: World;
}

function dial({ uname, aname, secretFile }: MountLine, { address, world }: Place, signal: AbortSignal): Promise<RemoteTree> {
  return RemoteTree.dial(
    {
      address,
      uname: uname ?? world.uname,
      aname,
      anameOf: (tag) => attachName(aname, tag),
      ...(secretFile !== undefined && { secret: secretFrom(secretFile) }),
    },
    signal,
  );
}

async function untilEnd(mount: Mount, tree: RemoteTree, signal: AbortSignal): Promise<void> {
  const stopped = signal.aborted ? Promise.resolve([]) : once(signal, 'abort');
  const lost = await Promise.race([tree.closed, mount.ended, stopped.then(() => undefined)]);
  await mount.close();
  if (lost !== undefined) throw new CommandError(`the server has gone: ${lost.message}`);
}
