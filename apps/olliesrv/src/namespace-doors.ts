import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Log, messageOf, type Paths } from '#config';
import { AgentDoors } from '#model';
import { ensureOwnDirectory, removeDeadSocket } from '#ninep';
import { agentDoor, type Door, type OpenDoor } from '#transport-ninep';

/** What serves the namespace by one more door. */
export interface DoorOpener {
  open(door: Door): Promise<OpenDoor>;
}

/**
 * One socket an agent, in a directory of the user's alone: who comes by it is that agent, and needs to prove nothing.
 * Before `serveBy` nobody can come.
 */
export class NamespaceDoors extends AgentDoors {
  private readonly doors = new Map<string, Promise<OpenDoor | undefined>>();
  private opener: DoorOpener | undefined;
  private swept: Promise<void> | undefined;

  constructor(
    private readonly paths: Pick<Paths, 'agentDoor'>,
    private readonly log: Log,
  ) {
    super();
  }

  serveBy(opener: DoorOpener): void {
    this.opener = opener;
  }

  async open(agentId: string): Promise<void> {
    const door = this.doors.get(agentId) ?? this.make(agentId);
    this.doors.set(agentId, door);
    await door;
  }

  async close(agentId: string): Promise<void> {
    const door = this.doors.get(agentId);
    this.doors.delete(agentId);
    await (await door)?.close();
  }

  private async make(agentId: string): Promise<OpenDoor | undefined> {
    const path = this.paths.agentDoor(agentId);
    try {
      await (this.swept ??= sweep(dirname(path)));
      return await this.opener?.open(agentDoor(`unix!${path}`, agentId));
    } catch (error) {
      // The next connection of the agent tries again.
      this.doors.delete(agentId);
      this.swept = undefined;
      this.log.warn(`agent ${agentId} has no door to the namespace: ${messageOf(error)}`);
      return undefined;
    }
  }
}

/** Makes the directory, and takes away what servers that were killed have left there. */
async function sweep(directory: string): Promise<void> {
  ensureOwnDirectory(directory);
  for (const name of readdirSync(directory)) await removeDeadSocket(join(directory, name));
}
