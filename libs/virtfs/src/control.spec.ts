import { describeKind } from '#testkit';
import { command, openCommandTo } from './command.js';
import { control, type ControlOptions } from './control.js';
import { dir } from './dir.js';
import { FileError } from './errors.js';
import { MemoryClient } from './memory-client.js';
import { mount } from './mount.js';
import type { FileHandle } from './types.js';

const NEVER = new AbortController().signal;
const HELP = 'stop\tInterrupt\nsay <text>\tRepeat it\nquiet\tSay nothing\nhang\tNever end\nhelp\tList these commands\n';

class Robot {
  readonly done: string[] = [];
  hanging: AbortSignal | undefined;
}

const commands = {
  stop: command<Robot>('Interrupt', (r) => void r.done.push('stop')),
  say: command<Robot>(
    'Repeat it',
    async (r, text) => {
      if (text === '') throw new FileError('illegal argument: say needs text', 'EINVAL');
      r.done.push(`say ${text}`);
      return text;
    },
    '<text>',
  ),
  quiet: command<Robot>('Say nothing', () => ''),
  hang: command<Robot>('Never end', (r, _argument, call) => {
    r.hanging = call.signal;
    return new Promise<string>((resolve) =>
      call.signal.addEventListener('abort', () => setTimeout(() => (r.done.push('hung'), resolve('')), 20)),
    );
  }),
};
const rowOf = (options?: ControlOptions) => control<Robot>('Control', commands, options);

describeKind<Robot>('control', {
  row: rowOf(),
  subject: () => new Robot(),
  mode: 0o660,
  content: 'ok\nhello\n',
  request: 'stop\nsay hello\n',
  length: 'zero',
  effects: (r) => [...r.done],
  change: async (_r, node) => {
    const handle = await node.open({ read: true, write: true, truncate: false }, { role: 'user', uname: 'u', aname: '', tag: 't' });
    await handle.write(0, Buffer.from('stop\n'), { signal: NEVER });
  },
});

describeKind<Robot>('control that is only written', {
  row: rowOf({ writeOnly: true }),
  subject: () => new Robot(),
  mode: 0o220,
  request: 'stop\n',
  length: 'zero',
  effects: (r) => [...r.done],
});

async function bench() {
  const robot = new Robot();
  const client = new MemoryClient(mount(dir<Robot>({ ctl: rowOf() }), robot));
  const handle = await client.open('ctl', { read: true, write: true, truncate: false });
  return { robot, client, handle };
}

const put = async (handle: FileHandle, text: string, offset = 0) => handle.write(offset, Buffer.from(text), { signal: NEVER });
const get = async (handle: FileHandle, offset = 0) => Buffer.from(await handle.read(offset, 4096, { signal: NEVER })).toString();

describe('control', () => {
  it('shows its help before any write, at once, and as a command', async () => {
    const { client, handle } = await bench();
    expect(await client.read('ctl')).toBe(HELP);
    await put(handle, 'help\n');
    expect(await get(handle)).toBe(HELP);
  });

  it('runs each line before the write returns, in order', async () => {
    const { robot, handle } = await bench();
    await put(handle, 'say a\n\n  stop  \nsay  b c \n');
    expect(robot.done).toEqual(['say a', 'stop', 'say b c']);
    expect(await get(handle)).toBe('a\nok\nb c\n');
  });

  it('fails the write of a command that fails, says so in the answer, and runs the other lines', async () => {
    const { robot, handle } = await bench();
    await expect(put(handle, 'say a\nbogus x\nsay\nstop\n')).rejects.toThrow('illegal command: bogus');
    expect(robot.done).toEqual(['say a', 'stop']);
    expect(await get(handle)).toBe('a\nerror: illegal command: bogus\nerror: illegal argument: say needs text\nok\n');
  });

  it('takes no name from the prototype of the table for a command', async () => {
    const { handle } = await bench();
    for (const name of ['__proto__', 'constructor', 'toString'])
      await expect(put(handle, name)).rejects.toThrow(`illegal command: ${name}`);
  });

  it('prints an empty answer as nothing and no answer as ok', async () => {
    const { handle } = await bench();
    await put(handle, 'quiet\nstop\n');
    expect(await get(handle)).toBe('ok\n');
  });

  it('runs a piece without newline at once, and the line before it that it ends', async () => {
    const { robot, handle } = await bench();
    await put(handle, 'stop');
    expect(robot.done).toEqual(['stop']);
  });

  it('lets a piece of 4096 bytes or more wait for the rest of its line', async () => {
    const { robot, handle } = await bench();
    const text = 'x'.repeat(4096);
    const piece = Buffer.from(`say ${text}`);
    await handle.write(0, piece, { signal: NEVER });
    piece.fill('!');
    expect(robot.done).toEqual([]);
    await put(handle, 'yz\nstop\n', 4100);
    expect(robot.done).toEqual([`say ${text}yz`, 'stop']);
  });

  it('ends a piece that waits by a read, whose answer tells a failure', async () => {
    const { handle } = await bench();
    await put(handle, `bogus ${'x'.repeat(4096)}`);
    expect(await get(handle)).toBe('error: illegal command: bogus\n');
  });

  it('ends a piece that waits by a clunk, which fails as it fails, but not by a hang-up', async () => {
    const clunked = await bench();
    await put(clunked.handle, `bogus ${'x'.repeat(4096)}`);
    await expect(Promise.resolve(clunked.handle.close('clunk'))).rejects.toThrow('illegal command: bogus');
    const broken = await bench();
    await put(broken.handle, `say ${'x'.repeat(4096)}`);
    await broken.handle.close('hangup');
    expect(broken.robot.done).toEqual([]);
  });

  it('refuses a line above 64 KiB in every write that carries it, and runs the lines around it', async () => {
    const { robot, handle } = await bench();
    const long = 'x'.repeat(64 * 1024 + 1);
    await expect(put(handle, `say a\n${long}`)).rejects.toThrow('message too long');
    await expect(put(handle, `${'x'.repeat(4096)}`)).rejects.toThrow('message too long');
    await expect(put(handle, 'x\nstop\n')).rejects.toThrow('message too long');
    await put(handle, 'say b\n');
    expect(robot.done).toEqual(['say a', 'stop', 'say b']);
  });

  it('begins a new answer with the first write after a read, and joins those of writes in between', async () => {
    const { handle } = await bench();
    await put(handle, 'say a\n');
    await put(handle, 'say b\n', 6);
    expect(await get(handle, 12)).toBe('a\nb\n');
    await put(handle, 'say c\n', 16);
    expect(await get(handle, 22)).toBe('c\n');
    expect(await get(handle, 24)).toBe('');
  });

  it('begins the answer at offset 0 for who seeks there', async () => {
    const { handle } = await bench();
    expect(await get(handle)).toBe(HELP);
    await put(handle, 'say a', HELP.length);
    expect(await get(handle)).toBe('a\n');
  });

  it('lets a read wait for the write that is under way', async () => {
    const { robot, handle } = await bench();
    const write = put(handle, 'say a\nsay b\n');
    expect(await get(handle)).toBe('a\nb\n');
    await write;
    expect(robot.done).toHaveLength(2);
  });

  it('is interrupted with its write: the command is aborted, has ended, and the rest is not run', async () => {
    const { robot, handle } = await bench();
    const stop = new AbortController();
    const write = Promise.resolve(handle.write(0, Buffer.from('hang\nstop\n'), stop));
    await Promise.resolve();
    stop.abort();
    await expect(write).rejects.toThrow('interrupted');
    expect(robot.hanging?.aborted).toBe(true);
    expect(robot.done).toEqual(['hung']);
    expect(await get(handle)).toBe('');
  });

  it('passes a bug of a command on as it is', async () => {
    const broken = control<Robot>('Control', {
      crash: command('Crash', () => {
        throw new TypeError('a bug');
      }),
    });
    const client = new MemoryClient(mount(dir<Robot>({ ctl: broken }), new Robot()));
    await expect(client.write('ctl', 'crash\n')).rejects.toThrow(TypeError);
  });
});

describe('a control of which one command is open to guests', () => {
  class Log {
    readonly done: string[] = [];
  }
  const table = {
    stop: openCommandTo(
      ['guest'],
      command<Log>('Stop', (log) => void log.done.push('stop')),
    ),
    kill: command<Log>('Kill', (log) => void log.done.push('kill')),
  };

  it('runs that one for a guest, all for a user, and none for an agent', async () => {
    const log = new Log();
    const root = mount(dir<Log>({ ctl: control('Control', table) }), log);
    const [user, guest, agent] = (['user', 'guest', 'agent'] as const).map((role) => new MemoryClient(root, { role }));
    expect(await guest?.ask('ctl', 'stop\n')).toBe('ok\n');
    await expect(guest?.ask('ctl', 'kill\n')).rejects.toThrow('permission denied');
    await expect(agent?.ask('ctl', 'stop\n')).rejects.toThrow('permission denied');
    expect(await user?.ask('ctl', 'kill\n')).toBe('ok\n');
    expect(log.done).toEqual(['stop', 'kill']);
  });
});
