import type { RunListener } from './process-launcher.js';
import { SupervisedRun } from './supervised-run.js';

const job = { signal: () => undefined, credit: () => undefined };
const listener: RunListener = { started: () => undefined, output: () => undefined };

describe('the reports of a supervised run', () => {
  it('keep a character that two frames share', async () => {
    const run = new SupervisedRun(listener, 'OLLIE_RUN=1', job);
    const line = Buffer.from('{"type":"failed","step":"exec","message":"/tmp/Grüße"}\n');
    const middle = line.indexOf('ü') + 1;
    run.onReports(line.subarray(0, middle));
    run.onReports(line.subarray(middle));
    run.onEnd(125);
    expect(await run.ended).toMatchObject({ type: 'failed', message: '/tmp/Grüße' });
  });
});
