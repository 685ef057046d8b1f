import { errnoOf } from '#config';

/** A group that is gone already is no fault. */
export function signalGroup(group: number, number: number): void {
  try {
    process.kill(-group, number);
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH') throw error;
  }
}
