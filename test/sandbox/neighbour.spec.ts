import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { SandboxPolicy } from '#sandbox';
import { identities, World } from './world.js';

interface Aftermath {
  readonly answers: Readonly<Record<string, string>>;
  readonly said: string;
}

describe.each(identities)('a tool that runs as %s beside another program of the same user', (_name, uid) => {
  let world: World;
  let reach: string;
  let neighbour: string;
  beforeAll(() => {
    world = new World(uid);
    reach = world.compile('reach');
    neighbour = world.compile('neighbour');
  });
  afterAll(() => world.remove());

  /** What a tool gets to hear when it touches everything that a neighbour has, and what the neighbour says then. */
  async function touch(policy: SandboxPolicy | undefined): Promise<Aftermath> {
    const child = spawn(neighbour, { stdio: ['pipe', 'pipe', 'inherit'], uid, gid: uid });
    const [line] = await once(child.stdout, 'data');
    const of = (name: string): string => String(line).match(new RegExp(`${name}=(\\S+)`))?.[1] ?? '';
    const ways = [
      ['segment', of('segment')],
      ['messages', of('messages')],
      ['queue', of('queue')],
      ['user-netlink', of('port')],
      ['terminal', of('terminal')],
      ['limit', of('pid')],
      ['kill', of('pid')],
      ['ptrace', of('pid')],
      ['read', `/proc/${of('pid')}/environ`],
    ] as const;
    const script = ways.map(([way, argument]) => `echo ${way} $(${reach} ${way} ${argument})`).join('\n');
    const { text: told } = await world.run(['sh', '-c', script], { policy }).finally(() => child.stdin.end());
    return { answers: Object.fromEntries(told.trim().split('\n').map(split)), said: await text(child.stdout) };
  }

  const split = (line: string): [string, string] => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];

  it('touches nothing of it', async () => {
    const { answers, said } = await touch(world.policy);
    expect(answers).toEqual({
      segment: 'ENOSYS',
      messages: 'ENOSYS',
      queue: 'ENOSYS',
      'user-netlink': 'EPROTONOSUPPORT',
      terminal: 'EACCES',
      limit: 'EPERM',
      kill: 'EPERM',
      ptrace: 'EPERM',
      read: 'EACCES',
    });
    expect(said).toBe('segment: untouched\nqueue: untouched\nlimit: untouched\n');
  });

  it('would touch all of it without a policy', async () => {
    const { answers, said } = await touch(undefined);
    expect(new Set(Object.values(answers))).toEqual(new Set(['reached']));
    expect(said).toBe('segment: changed\nqueue: gone\nlimit: changed\n');
  });
});
