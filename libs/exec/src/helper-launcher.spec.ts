import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findHelper, type RunOrder } from '#sandbox';
import { describeLauncher } from './describe-launcher.js';
import { HelperLauncher } from './helper-launcher.js';

describe('a run through a helper of its own', () => {
  describeLauncher(() => new HelperLauncher(findHelper()));

  test('without a helper nothing runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'no-helper-'));
    const order: RunOrder = { policy: undefined, cell: false, argv: ['true'], cwd: '/', env: {}, graceMs: 1 };
    const listener = { started: () => undefined, output: () => undefined };
    expect(await new HelperLauncher(undefined).launch(order, undefined, listener).ended).toMatchObject({ type: 'failed', code: 125 });
    expect(await new HelperLauncher(join(folder, 'gone')).launch(order, undefined, listener).ended).toMatchObject({
      type: 'failed',
      code: 125,
    });
    rmSync(folder, { recursive: true });
  });
});
