// Runs alone: output may come 700 ms late, no later.
import { openMode, type Client, type RemoteFile } from '#ninep';
import { parseMarkup, type Block } from '#agent';
import { Ollie, processesWith, until } from './ollie.js';

jest.setTimeout(90_000);

const AGENT = 'session/s/agent/a';
/** What a busy machine may add to the tenth of a second. */
const LATE_MS = 700;

/** A chat.raw that is read as it grows, with the time at which each piece came. */
class Raw {
  text = '';
  readonly arrivals: { readonly text: string; readonly atMs: number }[] = [];

  private constructor(private readonly file: RemoteFile) {}

  static async open(client: Client): Promise<Raw> {
    return new Raw(await client.open(`${AGENT}/chat.raw`, openMode.read));
  }

  /** Reads on until the turn has ended. */
  async rest(): Promise<readonly Block[]> {
    const from = Buffer.byteLength(this.text);
    const before = this.text.length;
    for (let at = from; ;) {
      const piece = await this.file.read(at, this.file.iounit);
      if (piece.length === 0) return parseMarkup(this.text.slice(before));
      at += piece.length;
      this.add(Buffer.from(piece).toString('utf8'));
    }
  }

  private add(text: string): void {
    this.text += text;
    this.arrivals.push({ text, atMs: Date.now() });
  }
}

describe('output of a running call', () => {
  const ollie = new Ollie();
  let client: Client;
  let raw: Raw;
  const prompt = (text: string): Promise<void> => client.writeAll(`${AGENT}/prompt`, text);
  const toolsrvs = () => processesWith(ollie.folder).filter(({ command }) => command.includes('toolsrv'));

  beforeAll(async () => {
    await ollie.start();
    client = await ollie.dial();
    await client.ask('session/new', 'name=s\n');
    await client.ask('session/s/agent/new', 'name=a\n');
    raw = await Raw.open(client);
  });
  afterAll(async () => {
    client.close();
    await ollie.destroy();
  });

  it('is in chat.raw as it comes, and then again as the result; chat and log do not change for it', async () => {
    await prompt('run for i in 1 2 3; do echo "line $i at $(date +%s%3N)"; sleep 1; done');
    const blocks = await raw.rest();
    const pieces = blocks.filter(isLive);
    const result = blocks.find((block) => block.role === 'tool' && !isLive(block));
    expect(pieces.map(({ content }) => content).join('')).toBe(result?.content);
    expect(Object.keys(result?.attributes ?? {})).toEqual(['id', 'name', 'call', 'error', 'tier']);
    expect(pieces.map(({ attributes }) => attributes)).toEqual(
      pieces.map(({ attributes }) => ({ id: attributes.id, name: 'shell', call: result?.attributes.call, live: 'true' })),
    );
    for (const line of (result?.content ?? '').trimEnd().split('\n')) {
      const came = raw.arrivals.find(({ text }) => text.includes(line))?.atMs ?? Infinity;
      expect(came - Number(line.split(' at ')[1])).toBeLessThan(LATE_MS);
    }
    expect(await readText(client, 'chat')).toMatch(
      /^user: .*\n-> shell\(.*\)\n<- shell 3 lines\n\[scripted\] done:\n(line \d at \d+\n){3}$/,
    );
    expect(await readText(client, 'log')).toBe(await readText(client, 'chat'));
  });

  it('is not there for a call that ends at once', async () => {
    await prompt('run echo quick');
    const blocks = await raw.rest();
    expect(blocks.filter(isLive)).toEqual([]);
    expect(blocks.some(({ content }) => content === 'quick\n')).toBe(true);
  });

  it('is no more than its start when there is a flood', async () => {
    await prompt('run yes 0123456789abcde | head -c 20000000; sleep 1');
    const pieces = (await raw.rest()).filter(isLive).map(({ content }) => content);
    expect(pieces.join('')).toMatch(/^(0123456789abcde\n){4096}\[the output goes on in proc\/\d+\/out\]\n$/);
  });

  it('ends at an interrupt', async () => {
    await prompt('run while :; do echo tick; sleep 0.02; done');
    const blocks = raw.rest();
    await until('it ticks', () => raw.text.endsWith('tick\n[[[/tool]]]\n'));
    await client.ask(`${AGENT}/ctl`, 'stop\n');
    const roles = (await blocks).map((block) => (isLive(block) ? 'live' : block.role));
    expect(roles.lastIndexOf('live')).toBeGreaterThan(-1);
    expect(roles.slice(roles.lastIndexOf('live') + 1).filter((role) => role !== 'state')).toEqual(['tool', 'info']);
  });

  it('ends with the tool server', async () => {
    await prompt('run echo alive; sleep 30');
    const blocks = raw.rest();
    await until('it has said something', () => raw.text.includes('\nalive\n[[[/tool]]]\n'));
    for (const { pid } of toolsrvs()) process.kill(pid, 'SIGKILL');
    const contents = (await blocks).filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(contents).toEqual(['alive\n', 'toolsrv connection lost']);
    await prompt('run echo back; sleep 0.6');
    expect((await raw.rest()).filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual(['back\n', 'back\n']);
    expect(ollie.stderr).not.toContain('bug');
  });
});

function isLive({ attributes }: Block): boolean {
  return attributes.live === 'true';
}

/** What is there now. */
async function readText(client: Client, file: string): Promise<string> {
  return Buffer.from(await client.readAll(`${AGENT}/${file}`)).toString('utf8');
}
