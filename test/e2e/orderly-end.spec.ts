import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Ollie, processesWith, until } from './ollie.js';

jest.setTimeout(90_000);

describe('an orderly end in the middle of a call', () => {
  let ollie: Ollie;
  beforeEach(async () => {
    ollie = new Ollie();
    await ollie.start();
    await ollie.sh(`
      echo name=s | ollie-9p write session/new
      echo name=a | ollie-9p write session/s/agent/new
      echo 'run trap "touch ended; exit" TERM; touch begun; sleep 63 & sleep 63; wait' | ollie-9p write session/s/agent/a/prompt
    `);
    await until('the tool runs', () => existsSync(join(ollie.project, 'begun')));
  });
  afterEach(() => ollie.destroy());

  it('of olliesrv lets the tool end in its own way', async () => {
    expect(await ollie.end('SIGTERM')).toBe(0);
    expect(existsSync(join(ollie.project, 'ended'))).toBe(true);
  });

  it('of toolsrv lets the tool end in its own way', async () => {
    const toolsrv = processesWith('toolsrv.mjs').filter(({ command }) => command.includes(ollie.folder));
    expect(toolsrv).toHaveLength(1);
    for (const { pid } of toolsrv) process.kill(pid, 'SIGTERM');
    await until('the tool has ended', () => existsSync(join(ollie.project, 'ended')), 5_000);
  });
});
