import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ollie } from '../e2e/ollie.js';
import { ToolsrvProcess } from '../toolsrv/toolsrv-process.js';
import { describeMount, isMounted } from './describe-mount.js';

jest.setTimeout(120_000);

/** All that a mount which fails must leave as it was. */
const looksOf = (directory: string) => {
  const { ino, mode, mtimeMs } = statSync(directory);
  return { ino, mode, mtimeMs, names: readdirSync(directory), isMounted: isMounted(directory) };
};

describeMount('o mount of a server that asks who comes', () => {
  let ollie: Ollie;
  let place: string;
  let right: string;
  let wrong: string;
  let before: ReturnType<typeof looksOf>;

  beforeEach(() => {
    ollie = new Ollie();
    place = join(ollie.folder, 'place');
    mkdirSync(place, { mode: 0o750 });
    writeFileSync(join(place, 'mine'), 'kept');
    [right, wrong] = [join(ollie.folder, 'right'), join(ollie.folder, 'wrong')];
    writeFileSync(right, 's3cret\n');
    writeFileSync(wrong, 'guess\n');
    before = looksOf(place);
  });
  afterEach(async () => {
    await ollie.destroy();
    if (isMounted(place)) throw new Error('a mount was left behind');
  });

  /** Starts with one TCP listener and gives its address. */
  async function startWith(...args: readonly string[]): Promise<string> {
    await ollie.start({ args: ['--tcp', '127.0.0.1:0', ...args] });
    const [, address = ''] = /^olliesrv: listening on (tcp!.*)$/m.exec(ollie.stdout) ?? [];
    return address;
  }

  const mount = (options: string) => ollie.sh(`o mount ${options} ${place}`);

  async function expectMounted(options: string): Promise<void> {
    const { code, stdout, stderr } = await mount(options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^o: mounted .* on ${place} with pid \\d+\\n$`));
  }

  async function expectRefused(options: string, why: string): Promise<void> {
    expect({ options, ...(await mount(options)) }).toEqual({ options, code: 1, stdout: '', stderr: `o: ${why}\n` });
    expect(looksOf(place)).toEqual(before);
  }

  async function umount(): Promise<void> {
    expect(await ollie.sh(`o umount ${place}`)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(looksOf(place)).toEqual(before);
  }

  it('shows the tools of a toolsrv whose secret it knows', async () => {
    const tools = await ToolsrvProcess.serve(ollie.folder);
    const agent = `-a 'unix!${ollie.folder}/socket' -u agent -A 1764498300123456789-a1b2c3`;
    try {
      await expectMounted(`${agent} --secret-file ${right}`);
      const seen = await ollie.sh(`cd ${place} && ls && grep -c . all && head -c 1 info && (cat all; true) | cmp - all && echo same`);
      expect(seen).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^all\nbypass\nctl\ninfo\n(.*\n)*[1-9]\d*\n.*same\n$/s) as string,
      });
      await umount();
      await expectRefused(`${agent} --secret-file ${wrong}`, 'permission denied: bad secret');
      await expectRefused(agent, 'permission denied: authentication required');
      await expectRefused(`-a 'unix!${ollie.folder}/socket' --secret-file ${right}`, 'permission denied: not an agent: root');
    } finally {
      await tools.stop();
    }
  });

  it('is a user over TCP with the secret, and nothing with another or none', async () => {
    const server = `-a '${await startWith('--tcp-secret-file', right)}'`;
    const nowhere = `${ollie.folder}/nowhere`;
    await expectRefused(server, 'permission denied: authentication required');
    await expectRefused(`${server} --secret-file ${wrong}`, 'permission denied: bad secret');
    await expectRefused(`${server} -A key=guess`, 'permission denied: bad secret');
    await expectRefused(
      `${server} --secret-file ${nowhere}`,
      `secret file ${nowhere}: ENOENT: no such file or directory, open '${nowhere}'`,
    );
    await expectRefused(`-f ${server} --secret-file ${wrong}`, 'permission denied: bad secret');
    await expectMounted(`${server} --secret-file ${right}`);
    // Each shell is an attach of its own, which shows the secret again.
    expect(await ollie.sh(`cd ${place} && echo name=t >session/new && setsid -w cat session/t/name`)).toMatchObject({ stdout: 't\n' });
    await umount();
    await expectMounted(`${server} -A key=s3cret`);
    expect(await ollie.sh(`cat ${place}/session/t/name; echo u >${place}/session/t/name`)).toMatchObject({ stdout: 't\n' });
    await umount();
  });

  it('is a guest over TCP where everybody may come: reads, prompts and stops', async () => {
    const server = `-a '${await startWith('--tcp-no-auth')}'`;
    await ollie.sh('echo name=g | ollie-9p write session/new; echo name=a | ollie-9p write session/g/agent/new');
    await expectRefused(`${server} --secret-file ${right}`, 'permission denied: no auth required');
    await expectMounted(server);
    const talk = await ollie.sh(
      `cd ${place}/session/g/agent/a; echo say hi >prompt && until grep user: chat; do sleep 0.1; done; exec 3<>ctl; echo stop >&3; cat <&3`,
    );
    expect(talk).toMatchObject({ code: 0, stdout: expect.stringMatching(/^user: say hi\n(ok|idle)\n$/) as string, stderr: '' });
    const deeds = ['>ctl', '>session/new', '>session/g/agent/new', '>session/g/agent/a/plan', '>generate', '>session/g/ctl'];
    for (const deed of [...deeds.map((file) => `echo kill ${file}`), 'rmdir session/g', 'mv session/g session/h']) {
      const { code, stderr } = await ollie.sh(`cd ${place}; ${deed}`);
      expect({ deed, failed: code !== 0, stderr }).toEqual({ deed, failed: true, stderr: expect.stringContaining('Permission denied') });
    }
    expect(await ollie.sh(`ls ${place}/session`)).toMatchObject({ stdout: 'g\nidx\nnew\n' });
    await umount();
  });
});
