/** A reason to end a script that a person can act on: printed as one sentence, without a stack. */
export class Stop extends Error {}

/** Runs `work`; a Stop becomes one line on stderr and exit code 1. */
export async function reportStops(name, work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = 1;
  }
}
