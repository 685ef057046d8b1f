import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Paths } from '#config';
import { fakeTool } from '#testkit';
import { Policies } from './policies.js';

describe('the policy of a call', () => {
  let folder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-policies-')));
    for (const name of ['tools', 'project', 'tmp', 'home']) mkdirSync(join(folder, name), { mode: 0o700 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('grants the tool directory as it was at the start, whatever stands in its place later', () => {
    const tools = join(folder, 'tools');
    const env = { HOME: join(folder, 'home'), OLLIE_TOOLS_PATH: tools };
    const policies = new Policies({ paths: Paths.from(env), env, node: process.execPath });
    const granted = () => policies.for(fakeTool({ name: 'x' }, { directory: tools }), join(folder, 'project'), join(folder, 'tmp'));
    granted();
    renameSync(tools, join(folder, 'moved'));
    symlinkSync('/', tools);
    const { grants } = granted();
    expect(grants.filter(({ origin }) => origin === 'tool x').map(({ path }) => path)).toEqual([tools]);
    expect(grants.map(({ path }) => path)).not.toContain('/');
  });
});
