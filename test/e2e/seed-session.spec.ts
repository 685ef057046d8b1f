import { Ollie } from './ollie.js';

jest.setTimeout(90_000);

describe('the shell session of the documentation', () => {
  const ollie = new Ollie();
  beforeAll(() => ollie.start());
  afterAll(() => ollie.destroy());

  it('runs in one shell', async () => {
    const { code, stdout, stderr } = await ollie.sh(`
      set -e
      echo "name=myproj" | ollie-9p write session/new
      mkdir work
      cd work
      touch a.txt
      echo "name=coding cwd=$PWD" | ollie-9p write session/myproj/agent/new
      timeout 1 ollie-9p read session/myproj/agent/coding/statewait || echo "nothing to see: $?"
      echo "-- chat"
      echo "run ls" | ollie-9p write session/myproj/agent/coding/prompt
      ollie-9p read session/myproj/agent/coding/chat
      echo "-- statewait"
      ollie-9p read session/myproj/agent/coding/statewait
      echo "-- second statewait"
      ollie-9p read session/myproj/agent/coding/statewait &
      second=$!
      sleep 2
      kill -0 $second && echo blocked
      echo "say more" | ollie-9p write session/myproj/agent/coding/prompt
      wait $second
      echo "-- sub-agent"
      printf 'cwd=%s\\nprompt=run ls\\n' "$PWD" | ollie-9p rdwr session/myproj/agent/new
      ollie-9p ls session/myproj/agent
    `);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [before, chat, first, second, subAgent] = stdout.split(/^-- .*\n/m);
    expect(before).toBe('nothing to see: 124\n');
    expect(chat).toBe('user: run ls\n-> shell({"cmd":"ls"})\n<- shell 1 lines\n[scripted] done:\na.txt\n');
    expect(first).toBe('idle\n');
    expect(second).toMatch(/^blocked\n(running|idle)\n$/);
    expect(subAgent).toBe('[scripted] done:\na.txt\ncoding\nidx\nnew\n');
  });

  it('answers one-shot generation, and says errors as a shell expects them', async () => {
    const text = await ollie.sh(`echo 'say hello' | ollie-9p rdwr generate`);
    expect(text).toEqual({ code: 0, stdout: '[scripted] hello', stderr: '' });
    const json = await ollie.sh(`echo '{"prompt":"say hello"}' | ollie-9p rdwr generate`);
    expect(json.stdout).toBe('[scripted] hello');
    const refused = await ollie.sh(`echo 'colour=red' | ollie-9p write session/new`);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('illegal key: colour');
  });

  it('lists what the host offers as tools, from a tool server of its own that is gone afterwards', async () => {
    const { stdout } = await ollie.sh('ollie-9p read tools');
    expect(stdout).toMatch(
      /^client_9p {3}Read and write files of the ollie namespace\.\nfile_edit {3}\S.*\nfile_read {3}\S.*\nfile_write {2}\S.*\nshell {7}\S.*\n$/,
    );
  });

  it('kills what is removed as a directory, and lets nothing else be removed', async () => {
    await ollie.sh('echo name=gone | ollie-9p write session/new; echo name=a | ollie-9p write session/gone/agent/new');
    const client = await ollie.dial();
    await expect(client.remove('session/gone/id')).rejects.toThrow('permission denied');
    await client.remove('session/gone/agent/a');
    await expect(client.stat('session/gone/agent/a')).rejects.toThrow('file does not exist');
    await client.remove('session/gone');
    await expect(client.stat('session/gone')).rejects.toThrow('file does not exist');
    await expect(client.remove('session')).rejects.toThrow('permission denied');
    client.close();
  });
});
