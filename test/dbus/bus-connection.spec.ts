import { once } from 'node:events';
import { Socket } from 'node:net';
import { Message, MessageFlag, sessionBus } from 'dbus-next';
import { silentLog } from '#config';
import { BusConnection } from '../../apps/olliesrv/src/dbus/bus-connection.js';
import type { BusCall, BusReply } from '../../apps/olliesrv/src/dbus/bus-messages.js';
import { describeWith } from '../support/programs.js';
import { NAME, SessionBus } from '../support/session-bus.js';

const never = new AbortController().signal;

describeWith(
  'dbus-daemon',
  'gdbus',
  'busctl',
)('a connection to a bus', () => {
  const bus = new SessionBus();
  const connections: BusConnection[] = [];

  beforeEach(() => bus.start());
  afterEach(async () => {
    for (const connection of connections.splice(0)) await connection.close(NAME);
    await bus.stop();
  });
  afterAll(() => bus.destroy());

  async function open(socket = bus.socket): Promise<BusConnection> {
    const connection = await BusConnection.open(socket, silentLog, never);
    connections.push(connection);
    return connection;
  }

  /** Serves under the name, with what each call is answered. */
  async function serve(answer: (call: BusCall) => BusReply): Promise<BusConnection> {
    const connection = await open();
    connection.serve(async (call) => answer(call));
    await connection.own(NAME);
    return connection;
  }

  const echo = ({ signature, body }: BusCall): BusReply => ({ signature, body });

  it('answers calls', async () => {
    await serve(echo);
    expect((await bus.call('Echo', 'one', 'two')).stdout).toBe("('one', 'two')\n");
  });

  it('answers with errors by name', async () => {
    await serve(() => ({ signature: 's', body: ['no such thing'], error: 'org.ollie.Error.NotFound' }));
    expect((await bus.call('Find')).stderr).toContain('org.ollie.Error.NotFound: no such thing');
  });

  it('does not answer who wants none', async () => {
    await serve(echo);
    const client = sessionBus({ busAddress: `unix:socket=${bus.socket}` });
    await once(client, 'connect');
    const answers: unknown[] = [];
    client.on('message', ({ sender, body: [answer] }: { readonly sender: string; readonly body: readonly unknown[] }) => {
      if (sender !== 'org.freedesktop.DBus') answers.push(answer); // the bus tells each client its name
    });
    const question = { destination: NAME, path: '/', interface: NAME, member: 'Echo', signature: 's' };
    client.send(new Message({ ...question, body: ['quiet'], flags: MessageFlag.NO_REPLY_EXPECTED }));
    await client.call(new Message({ ...question, body: ['loud'] }));
    client.disconnect();
    expect(answers).toEqual(['loud']);
  });

  it('says who has a name that is taken', async () => {
    await serve(echo);
    await expect((await open()).own(NAME)).rejects.toThrow(`${NAME} belongs to process ${String(process.pid)}`);
  });

  it('gives the name back at the end', async () => {
    const connection = await serve(echo);
    expect(await bus.hasOwner()).toBe(true);
    await connection.close(NAME);
    expect(await bus.hasOwner()).toBe(false);
  });

  it('notices that the bus is gone, and what is asked then fails', async () => {
    const connection = await serve(echo);
    await bus.stop('SIGKILL');
    await connection.ended;
    await expect(connection.pidOf(NAME)).rejects.toThrow('the session bus is gone');
    connection.emit({ path: '/', interface: NAME, member: 'Lost', signature: '', body: [] });
  });

  it('outlives a message that the library cannot read', async () => {
    await serve(echo);
    const hostile = sessionBus({ busAddress: `unix:socket=${bus.socket}` });
    await once(hostile, 'connect');
    rewriteWhatIsSent(hostile, [1, 0x75, 0], [1, 0x68, 0]); // a number becomes a file descriptor, which nobody sends
    hostile.send(new Message({ destination: NAME, path: '/', interface: NAME, member: 'Echo', signature: 'u', body: [0] }));
    expect((await bus.call('Echo', 'still there')).stdout).toBe("('still there',)\n");
    hostile.disconnect();
  });

  it('fails for a bus that is not there, and one that refuses', async () => {
    await expect(BusConnection.open(`${bus.socket}-none`, silentLog, never)).rejects.toThrow(
      'the session bus cannot be reached: connect ENOENT',
    );
    await bus.stop();
    await bus.start({ max_completed_connections: 1 });
    await open();
    await expect(BusConnection.open(bus.socket, silentLog, never)).rejects.toThrow('the session bus refuses us:');
  });

  it('does not wait for a bus that says nothing longer than its owner does', async () => {
    bus.signal('SIGSTOP');
    const opening = BusConnection.open(bus.socket, silentLog, AbortSignal.timeout(100));
    await expect(opening).rejects.toThrow('is not waited for');
    await expect(BusConnection.open(bus.socket, silentLog, AbortSignal.abort())).rejects.toThrow('is not waited for');
    bus.signal('SIGCONT');
  });

  it('hangs up on a bus that reads nothing, and keeps no more than 64 MiB for it', async () => {
    const connection = await serve(echo);
    bus.signal('SIGSTOP');
    const body = ['x'.repeat(1024 * 1024)];
    for (let count = 0; count < 80; count += 1) connection.emit({ path: '/', interface: NAME, member: 'Said', signature: 's', body });
    bus.signal('SIGCONT');
    await expect(connection.ended).resolves.toBeUndefined();
  });
});

function rewriteWhatIsSent(bus: object, from: readonly number[], to: readonly number[]): void {
  const stream: unknown = Reflect.get(Reflect.get(bus, '_connection'), 'stream');
  if (!(stream instanceof Socket)) throw new Error('no socket');
  const write = stream.write.bind(stream);
  stream.write = (bytes: string | Uint8Array): boolean => {
    const message = Buffer.from(bytes);
    Buffer.from(to).copy(message, message.indexOf(Buffer.from(from)));
    return write(message);
  };
}
