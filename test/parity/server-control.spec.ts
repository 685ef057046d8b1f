import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Paths } from '#config';
import type { Client } from '#ninep';
import { TrustedFiles } from '#sandbox';
import { answerOf, ServedOlliesrv } from '../support/served-olliesrv.js';

const POLICY = "filesystem: { rw: ['{HOME}/x'] }\n";

describe('the ctl of the server', () => {
  let served: ServedOlliesrv;
  let client: Client;
  let file: string;

  beforeEach(async () => {
    served = await ServedOlliesrv.start();
    client = await served.dial();
    file = join(served.project, '.ollie-sandbox.yaml');
    writeFileSync(file, POLICY);
  });
  afterEach(() => served.close());

  const trust = (path: string): Promise<string> => answerOf(client, 'ctl', `trust ${path}\n`);
  const isTrusted = (content = POLICY): boolean => new TrustedFiles(Paths.from(served.environment).data).has(file, content);

  it('tells its commands', async () => {
    for (const word of ['invalidate', 'kill', 'trust <path>', 'help'])
      expect(await answerOf(client, 'ctl', 'help\n')).toContain(`${word}\t`);
    await expect(answerOf(client, 'ctl', 'x\n')).rejects.toThrow('illegal command: x');
  });

  it.each(['the file', 'its directory', 'a path below the home'])('trusts the policy of a project as it is now, by %s', async (how) => {
    expect(isTrusted()).toBe(false);
    expect(await trust(how === 'the file' ? file : how === 'its directory' ? served.project : '~/project')).toBe('ok\n');
    expect([isTrusted(), isTrusted(`${POLICY}# changed\n`)]).toEqual([true, false]);
  });

  it('trusts nothing else', async () => {
    mkdirSync(join(served.project, 'empty'));
    writeFileSync(join(served.project, 'other.yaml'), POLICY);
    await expect(trust('')).rejects.toThrow('illegal argument: trust needs an absolute path, or one that begins with ~/');
    await expect(trust('project')).rejects.toThrow('illegal argument: trust needs an absolute path');
    await expect(trust(join(served.project, 'other.yaml'))).rejects.toThrow('only a file named .ollie-sandbox.yaml can be trusted');
    await expect(trust(join(served.project, 'empty'))).rejects.toThrow('illegal argument: ');
    writeFileSync(file, 'filesytem: {}\n');
    await expect(trust(served.project)).rejects.toThrow(/^illegal argument: .*unknown key "filesytem"/);
    expect(isTrusted('filesytem: {}\n')).toBe(false);
  });
});
