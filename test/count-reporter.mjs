import { writeSync } from 'node:fs';

const OPEN_HANDLE_LIMIT_MS = 3_000;

/** The one reason for which a test may stay unrun in CI: the shared cases are not part of the repository. */
const ALLOWED_NOT_RUN = /\bnot run: no shared cases\b/;

/**
 * Ends the output with `N passed, N failed`. In CI a skipped or todo test is a failure and is named, unless its name
 * carries the allowed reason. Something left open would keep jest waiting for ever: after 3 s it is named and the run fails.
 */
export default class CountReporter {
  constructor(config) {
    this.byName = Boolean(config.testNamePattern); // the rest of the suite was left out on purpose
    this.strict = Boolean(process.env.CI);
  }

  onRunComplete(_contexts, results) {
    const unrun = this.byName ? [] : unrunTests(results);
    const forbidden = this.strict ? unrun.filter(({ name }) => !ALLOWED_NOT_RUN.test(name)) : [];
    for (const { file, name } of unrun) writeSync(1, `not run: ${file}: ${name}\n`);
    if (forbidden.length > 0) this.error = new Error(`${forbidden.length} test(s) were not run, which counts as failed in CI`);
    const broken = results.numFailedTests + results.numRuntimeErrorTestSuites + forbidden.length;
    const ranNothing = results.numPassedTests + broken === 0;
    if (ranNothing) this.error ??= new Error('no test was run: nothing has the name, or stands at the path, that was asked for');
    endWithCount(results.numPassedTests, broken + Number(ranNothing));
  }

  getLastError() {
    return this.error;
  }
}

function unrunTests(results) {
  return results.testResults.flatMap((file) =>
    file.testResults
      .filter(({ status }) => status === 'pending' || status === 'todo')
      .map(({ fullName }) => ({ file: file.testFilePath, name: fullName })),
  );
}

/** Printed while the process exits, because jest writes its own summary after the reporters ran. */
function endWithCount(passed, failed) {
  let leftOpen = 0;
  process.once('exit', () => writeSync(1, `${passed} passed, ${failed + leftOpen} failed\n`));
  setTimeout(() => {
    leftOpen = 1;
    writeSync(2, `the tests left something open: ${process.getActiveResourcesInfo().join(' ')} (find it with --detectOpenHandles)\n`);
    process.exit(1);
  }, OPEN_HANDLE_LIMIT_MS).unref();
}
