import { errnoOf } from '#config';

/** Whether there is a process with that number, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return code === 'EPERM';
  }
}
