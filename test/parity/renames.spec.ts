import { constants } from 'node:os';
import { decodeMessage, encodeMessage, ninep2000L, openMode, type Client, type Fcall } from '#ninep';
import { answerOf, ServedOlliesrv, textOf } from '../support/served-olliesrv.js';
import { Wire } from '../transcripts/wire.js';

/** How a session or an agent is given another name. */
const WAYS: readonly (readonly [how: string, rename: (client: Client, directory: string, name: string) => Promise<unknown>])[] = [
  ['by its file name', (client, directory, name) => client.writeAll(`${directory}/name`, `${name}\n`)],
  ['by its ctl', (client, directory, name) => answerOf(client, `${directory}/ctl`, `name ${name}\n`)],
  ['as a directory', (client, directory, name) => client.wstat(directory, { name })],
];

const SESSION_WAYS = WAYS.filter(([how]) => how !== 'by its ctl');

describe('another name', () => {
  let served: ServedOlliesrv;
  let client: Client;

  beforeEach(async () => {
    served = await ServedOlliesrv.start([{ hangs: true }]);
    client = await served.dial();
    for (const name of ['s', 'other']) await client.writeAll('session/new', `name=${name}\n`);
    for (const name of ['a', 'taken']) await client.writeAll('session/s/agent/new', `name=${name}\n`);
  });
  afterEach(() => served.close());

  const names = async (directory: string): Promise<readonly string[]> => (await client.list(directory)).map(({ name }) => name);

  describe.each(SESSION_WAYS)('for a session, given %s', (_how, rename) => {
    it('is seen everywhere, and the id stays', async () => {
      const [id, agentId] = await Promise.all([textOf(client, 'session/s/id'), textOf(client, 'session/s/agent/a/id')]);
      const { qid } = await client.stat('session/s');
      await rename(client, 'session/s', 'new-name');
      expect(await names('session')).toEqual(['new', 'idx', 'new-name', 'other']);
      expect(await textOf(client, 'session/new-name/name')).toBe('new-name\n');
      expect(await textOf(client, 'session/new-name/id')).toBe(id);
      expect(await textOf(client, `session/${id.trim()}/name`)).toBe('new-name\n');
      expect(await textOf(client, 'session/new-name/env')).toContain('OLLIE_SESSION=new-name\n');
      expect(await textOf(client, 'session/idx')).toMatch(new RegExp(`^new-name\t${id.trim()}\tidle\t2\t-\n`));
      expect(await textOf(client, 'aliases')).toContain(`${agentId.trim()}\tsession/new-name/agent/a\n`);
      expect((await client.stat('session/new-name')).qid.path).toBe(qid.path);
      await expect(client.stat('session/s')).rejects.toThrow('file does not exist');
    });

    it('is refused when it is none, or somebody else’s', async () => {
      await expect(rename(client, 'session/s', '-x')).rejects.toThrow('illegal name: -x');
      await expect(rename(client, 'session/s', 'idx')).rejects.toThrow('illegal name: idx');
      await expect(rename(client, 'session/s', 'other')).rejects.toThrow('session already exists: other');
      const id = (await textOf(client, 'session/other/id')).trim();
      await expect(rename(client, 'session/s', id)).rejects.toThrow(`session already exists: ${id}`);
      expect(await textOf(client, 'session/s/name')).toBe('s\n');
    });

    it('may be the one that it has, or its own id', async () => {
      const id = (await textOf(client, 'session/s/id')).trim();
      await rename(client, 'session/s', 's');
      expect(await textOf(client, 'session/s/name')).toBe('s\n');
      await rename(client, 'session/s', id);
      expect(await textOf(client, `session/${id}/name`)).toBe(`${id}\n`);
      await rename(client, `session/${id}`, 's');
      expect(await textOf(client, 'session/s/id')).toBe(`${id}\n`);
    });
  });

  describe.each(WAYS)('for an agent, given %s', (_how, rename) => {
    it('is seen everywhere, while a turn runs too, and open files stay what they are', async () => {
      const id = (await textOf(client, 'session/s/agent/a/id')).trim();
      await client.writeAll('session/s/agent/a/prompt', 'wait');
      const chat = await client.open('session/s/agent/a/chat.raw', openMode.read);
      await rename(client, 'session/s/agent/a', 'b');
      expect(await names('session/s/agent')).toEqual(['new', 'idx', 'b', 'taken']);
      expect(await textOf(client, 'session/s/agent/b/name')).toBe('b\n');
      expect(await textOf(client, 'session/s/agent/b/cfg')).toContain('\nname=b\n');
      expect(await textOf(client, 'session/s/agent/idx')).toMatch(new RegExp(`^b\t${id}\trunning\t`));
      expect(await textOf(client, 'aliases')).toContain(`${id}\tsession/s/agent/b\n`);
      await expect(client.stat('session/s/agent/a')).rejects.toThrow('file does not exist');
      expect(new TextDecoder().decode(await chat.read(0, 4096))).toContain('wait');
      expect(await answerOf(client, `session/s/agent/${id}/ctl`, 'stop\n')).toBe('ok\n');
      await client.writeAll('session/s/agent/new', 'name=a\n');
    });

    it('is refused when it is none, or somebody else’s', async () => {
      await expect(rename(client, 'session/s/agent/a', 'new')).rejects.toThrow('illegal name: new');
      await expect(rename(client, 'session/s/agent/a', 'x'.repeat(65))).rejects.toThrow(`illegal name: ${'x'.repeat(65)}`);
      await expect(rename(client, 'session/s/agent/a', 'taken')).rejects.toThrow('agent already exists: taken');
      expect(await names('session/s/agent')).toEqual(['new', 'idx', 'a', 'taken']);
    });
  });

  describe('in 9P2000.L', () => {
    const [ROOT, SESSION, SESSIONS, AGENTS] = [0, 1, 2, 3];
    let wire: Wire;

    async function told(message: Fcall): Promise<Fcall> {
      wire.send(encodeMessage(message, wire.dialect));
      const frame = await wire.next();
      if (!frame) throw new Error('hung up');
      return decodeMessage(frame, wire.dialect);
    }
    const walk = (newfid: number, ...names: readonly string[]): Promise<Fcall> => told({ type: 'Twalk', tag: 1, fid: ROOT, newfid, names });

    beforeEach(async () => {
      wire = await Wire.open({ path: served.socket });
      await told({ type: 'Tversion', tag: 0xffff, msize: 8192, version: '9P2000.L' });
      wire.dialect = ninep2000L;
      await told({ type: 'Tattach', tag: 1, fid: ROOT, afid: 0xffffffff, uname: 'tester', aname: '', uid: 0 });
      await walk(SESSION, 'session', 's');
      await walk(SESSIONS, 'session');
      await walk(AGENTS, 'session', 's', 'agent');
    });
    afterEach(() => wire.hangUp());

    it('is given by Trename and by Trenameat', async () => {
      expect(await told({ type: 'Trename', tag: 1, fid: SESSION, dfid: SESSIONS, name: 'x' })).toEqual({ type: 'Rrename', tag: 1 });
      expect(await textOf(client, 'session/x/name')).toBe('x\n');
      const ofAgent = { type: 'Trenameat', tag: 1, fromFid: AGENTS, from: 'a', toFid: AGENTS, to: 'b' } as const;
      expect(await told(ofAgent)).toEqual({ type: 'Rrenameat', tag: 1 });
      expect(await textOf(client, 'session/x/agent/b/name')).toBe('b\n');
    });

    it('is refused by number: taken, no name', async () => {
      const ofAgent = { type: 'Trenameat', tag: 1, fromFid: AGENTS, from: 'a', toFid: AGENTS } as const;
      expect(await told({ ...ofAgent, to: 'taken' })).toEqual({ type: 'Rlerror', tag: 1, ecode: constants.errno.EEXIST });
      expect(await told({ ...ofAgent, to: '-x' })).toEqual({ type: 'Rlerror', tag: 1, ecode: constants.errno.EINVAL });
    });
  });

  it('is told by the ctl of an agent that asks for none', async () => {
    expect(await answerOf(client, 'session/s/agent/a/ctl', 'name\n')).toBe('a\n');
  });

  it('is nothing that a file or a fixed directory can have', async () => {
    for (const path of ['session', 'session/idx', 'session/s/agent', 'session/s/agent/a/proc'])
      await expect(client.wstat(path, { name: 'x' })).rejects.toThrow('permission denied');
  });

  it('leaves the old one free, and ends with who had it', async () => {
    const file = await client.open('session/s/agent/a/name', openMode.write);
    await answerOf(client, 'session/s/agent/a/ctl', 'kill\n');
    await file.write(0, Buffer.from('late'));
    await expect(file.clunk()).rejects.toThrow('no such agent: ');
    expect(await names('session/s/agent')).toEqual(['new', 'idx', 'taken']);
  });
});
