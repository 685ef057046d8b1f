import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ollie, type Outcome } from '../e2e/ollie.js';
import { describeWith } from '../support/programs.js';

jest.setTimeout(60_000);

const KEY = 'key=diod-secret';

describeWith('diodcat', 'diodls')('the tools of diod', () => {
  const ollie = new Ollie();
  let server: string;

  beforeAll(async () => {
    const secret = join(ollie.folder, 'secret');
    writeFileSync(secret, 'diod-secret\n');
    await ollie.start({ args: ['--tcp', '127.0.0.1!0', '--tcp-secret-file', secret] });
    server = /tcp!([0-9.]+)!([0-9]+)/.exec(ollie.stdout)?.slice(1).join(':') ?? '';
    await ollie.sh('echo name=s | ollie-9p write session/new; echo name=a | ollie-9p write session/s/agent/new');
  });
  afterAll(() => ollie.destroy());

  const diod = (program: string, aname: string, ...paths: readonly string[]): Promise<Outcome> =>
    ollie.sh(`PATH=$PATH:/usr/sbin timeout 20 ${program} -s ${server} -a '${aname}' ${paths.join(' ')}`);

  it('list directories', async () => {
    expect(await diod('diodls', KEY, 'session/s/agent')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^new$/m) as string });
    const { stdout } = await diod('diodls -l', KEY);
    expect(stdout).toMatch(/^-r--r--r--.* 9 .*backends$/m);
    expect(stdout).toMatch(/^dr-xr-xr-x.*session$/m);
  });

  it('print files, one after the other', async () => {
    const help = await ollie.sh('ollie-9p read backends; ollie-9p read help');
    expect(await diod('diodcat', KEY, 'backends', 'help')).toEqual(help);
  });

  it('say what is refused in the words of the system', async () => {
    expect((await diod('diodcat', KEY, 'nothing')).stderr).toContain('No such file or directory');
    expect((await diod('diodcat', KEY, 'session/s/agent/a/prompt')).stderr).toContain('Permission denied');
    expect((await diod('diodcat', 'key=wrong', 'backends')).stderr).toContain('Permission denied');
  });
});
