import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from '#config';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '#model';
import { type Client, NinepError, openMode } from '#ninep';
import { Random } from '../abuse/random.js';
import { Ollie, until } from './ollie.js';

const INTERRUPTED = 'error: interrupted: the server was restarted during this turn; its prompt was not run again\n';
const PLAN_BYTES = 600;

/** What a client knows of an agent: what was acknowledged, and what it was just asking for when the server died. */
interface Ledger {
  readonly prompts: string[];
  readonly plan: Buffer;
  planTry: { readonly at: number; readonly byte: number } | undefined;
  name: string;
  nameTry: string | undefined;
  /** All of `chat` that was read. */
  chat: string;
  count: number;
}

/**
 * A server that is killed at random moments while prompts, plan bytes, names and snapshots are written and tools run, and
 * started again on the same data: what was acknowledged is there, and nothing is run twice.
 */
export function describeChaos(kills: number, seed: number): void {
  describe(`${String(kills)} sudden deaths (seed ${String(seed)})`, () => {
    const ollie = new Ollie();
    const random = new Random(seed);
    const ledger: Ledger = {
      prompts: [],
      plan: Buffer.alloc(PLAN_BYTES),
      planTry: undefined,
      name: 's',
      nameTry: undefined,
      chat: '',
      count: 0,
    };
    let session = '';
    let agent = '';

    beforeAll(async () => {
      await ollie.start();
      await ollie.sh('echo name=s | ollie-9p write session/new; echo name=a | ollie-9p write session/s/agent/new');
      const aliases = (await ollie.sh('ollie-9p read aliases')).stdout.split('\n').map((line) => line.split('\t')[0] ?? '');
      session = `session/${aliases[0] ?? ''}`;
      agent = `${session}/agent/${aliases[1] ?? ''}`;
      const client = await ollie.dial();
      const plan = await client.open(`${agent}/plan`, openMode.write);
      await plan.write(0, ledger.plan);
      client.close();
    });
    afterAll(() => ollie.destroy());

    it.each(Array.from({ length: kills }, (_none, number) => number))('lose nothing that was acknowledged (%i)', async () => {
      await work(random.below(900));
      await ollie.start();
      await settle();
      await check();
    });

    /** Works until the server is killed, `lifeMs` from now. */
    async function work(lifeMs: number): Promise<void> {
      const client = await ollie.dial();
      const jobs = [prompting, planning, renaming, saving, reading].map((job) => job(client).catch(hungUp));
      await sleep(lifeMs);
      await ollie.end('SIGKILL');
      await Promise.all(jobs);
    }

    async function prompting(client: Client): Promise<void> {
      for (;;) {
        ledger.count += 1;
        const id = `p${String(ledger.count)}`;
        await client.writeAll(`${agent}/prompt`, `run echo ${id} >> ran`);
        ledger.prompts.push(id);
        await sleep(random.below(120));
      }
    }

    async function planning(client: Client): Promise<void> {
      const plan = await client.open(`${agent}/plan`, openMode.write);
      for (;;) {
        ledger.planTry = { at: random.below(PLAN_BYTES), byte: random.below(256) };
        await plan.write(ledger.planTry.at, Buffer.from([ledger.planTry.byte]));
        ledger.plan[ledger.planTry.at] = ledger.planTry.byte;
        ledger.planTry = undefined;
      }
    }

    async function renaming(client: Client): Promise<void> {
      for (;;) {
        ledger.nameTry = `s${String(random.below(1000))}`;
        await client.writeAll(`${session}/name`, ledger.nameTry);
        ledger.name = ledger.nameTry;
        ledger.nameTry = undefined;
        await sleep(random.below(30));
      }
    }

    async function saving(client: Client): Promise<void> {
      for (;;) {
        await sleep(random.below(150));
        await client.ask(`${session}/ctl`, 'save\n');
      }
    }

    async function reading(client: Client): Promise<void> {
      const chat = await client.open(`${agent}/chat`, openMode.read);
      let bytes = Buffer.byteLength(ledger.chat);
      for (;;) {
        const piece = await chat.read(bytes, 8192);
        bytes += piece.length;
        ledger.chat += new TextDecoder().decode(piece);
        if (piece.length === 0) await sleep(5);
      }
    }

    async function settle(): Promise<void> {
      await until('all turns have ended', async () => (await read(`${agent}/cfg`)).startsWith('state=idle'), 60_000);
    }

    async function check(): Promise<void> {
      const chat = await read(`${agent}/chat`);
      expect(chat.startsWith(ledger.chat)).toBe(true);
      ledger.chat = chat;
      checkPrompts(chat);
      await checkPlan();
      checkName((await read(`${session}/name`)).trim());
      await ollie.sh(`echo save | ollie-9p write ${session}/ctl`);
      checkPairs();
    }

    function checkPrompts(chat: string): void {
      const shown = [...chat.matchAll(/^user: run echo (p\d+) >> ran$/gm)].map(([, id = '']) => id);
      expect(shown).toEqual([...new Set(shown)]);
      expect(shown.filter((id) => ledger.prompts.includes(id))).toEqual(ledger.prompts);
      const runs = ran(ollie);
      expect(runs).toEqual([...new Set(runs)]);
      const turns = chat.split(/^(?=user: run echo p)/m).filter((turn) => turn.startsWith('user: '));
      const lost = turns.filter((turn) => !runs.includes(/p\d+/.exec(turn)?.[0] ?? '') && !turn.includes(INTERRUPTED));
      expect(lost).toEqual([]);
      ledger.prompts.splice(0, Infinity, ...shown);
    }

    async function checkPlan(): Promise<void> {
      const plan = Buffer.from(await ollie.dialed((client) => client.readAll(`${agent}/plan`)));
      const { planTry } = ledger;
      if (planTry && plan[planTry.at] === planTry.byte) ledger.plan[planTry.at] = planTry.byte;
      ledger.planTry = undefined;
      expect(plan.toString('hex')).toBe(ledger.plan.toString('hex'));
    }

    function checkName(name: string): void {
      expect([ledger.name, ledger.nameTry]).toContain(name);
      ledger.name = name;
      ledger.nameTry = undefined;
    }

    /** The snapshot that was just written: each call has its result directly behind it. */
    function checkPairs(): void {
      const open: unknown[] = [];
      for (const message of snapshotMessages(ollie)) {
        if (message.role === 'tool') expect(open.shift()).toBe(message.tool_call_id);
        else expect(open).toEqual([]);
        open.push(...objectsIn(message.tool_calls).map(({ id }) => id));
      }
      expect(open).toEqual([]);
    }

    async function read(path: string): Promise<string> {
      return new TextDecoder().decode(await ollie.dialed((client) => client.readAll(path)));
    }
  });
}

function snapshotMessages(ollie: Ollie): readonly JsonObject[] {
  const directory = join(ollie.folder, 'home/.local/share/ollie/sessions');
  const name = readdirSync(directory).find((file) => /^\d+-[0-9a-f]{6}\.json$/.test(file)) ?? '';
  return objectsIn(objectsIn([parseJson(readFileSync(join(directory, name), 'utf8'))])[0]?.messages);
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  const list: readonly JsonValue[] = value instanceof Array ? value : [];
  return list.filter(isJsonObject);
}

function ran(ollie: Ollie): readonly string[] {
  try {
    return readFileSync(join(ollie.project, 'ran'), 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function hungUp(error: unknown): void {
  if (!(error instanceof NinepError)) throw error;
}
