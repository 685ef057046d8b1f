import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Log, messageOf, silentLog } from '#config';
import { IllegalInputError, NotFoundError } from '#model';
import { isClientError } from '#virtfs';
import type { OlliesrvServices } from '../../apps/olliesrv/src/olliesrv-services.js';
import { ServedOlliesrv } from '../../test/support/served-olliesrv.js';

/** Each question, with what it asks of the services. */
const QUESTIONS = new Map<string, (ollie: Pick<OlliesrvServices, 'sessions'>, name: string) => string>([
  [
    'state',
    ({ sessions }, name) => {
      const session = sessions.find(name);
      if (!session) throw new NotFoundError('session', name);
      return session.state;
    },
  ],
]);

function answer(ollie: Pick<OlliesrvServices, 'sessions'>, line: string, log: Log): string {
  const [word = '', name = ''] = line.split(' ');
  try {
    const ask = QUESTIONS.get(word);
    if (!ask) throw new IllegalInputError('command', word);
    return `ok ${ask(ollie, name)}`;
  } catch (error) {
    if (isClientError(error)) return `error ${error.message}`;
    log.error(`line door: ${messageOf(error)}`);
    return 'error internal error';
  }
}

export class LineDoor {
  private readonly server: Server;

  constructor(ollie: Pick<OlliesrvServices, 'sessions'>, log: Log) {
    this.server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      const lines = createInterface({ input: socket });
      lines.on('line', (line) => socket.write(`${answer(ollie, line, log)}\n`));
    });
  }

  async open(path: string): Promise<void> {
    this.server.listen(path);
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    this.server.close();
    await once(this.server, 'close');
  }
}

describe('guide: add a door', () => {
  let folder: string;
  let ollie: ServedOlliesrv;
  let door: LineDoor;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ollie-guide-'));
    ollie = await ServedOlliesrv.start();
    door = new LineDoor(ollie.services, silentLog);
    await door.open(join(folder, 'lines'));
  });
  afterEach(async () => {
    await door.close();
    await ollie.close();
    rmSync(folder, { recursive: true });
  });

  it('opens to the same sessions as all others', async () => {
    await ollie.services.sessions.answer('name=myproj');
    const socket = connect(join(folder, 'lines'));
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const ask = async (line: string): Promise<unknown> => {
      socket.write(`${line}\n`);
      return (await lines.next()).value;
    };
    expect(await ask('state myproj')).toBe('ok idle');
    expect(await ask('state other')).toBe('error no such session: other');
    expect(await ask('stat myproj')).toBe('error illegal command: stat');
    socket.end();
    await once(socket, 'close');
  });
});
