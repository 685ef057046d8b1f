import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../abuse/random.js';
import { describeMount } from '../mount/describe-mount.js';
import { root } from '../support/run.js';
import { Ollie } from './ollie.js';

const LIMIT_S = 60;
jest.setTimeout((LIMIT_S + 30) * 1000);

const ROUNDS = 100;
const ROUNDS_OF_PROGRAMS = 10;
const LONGEST_MS = 50;
const SEED = 20;
const AGENTS = ['session/one/agent/a', 'session/one/agent/b', 'session/two/agent/c'];
const RECIPES = join(root, 'examples/recipes.sh');

/** An olliesrv with three agents in two sessions, whose turns take 0 to `LONGEST_MS` each. */
class TimedTurns {
  readonly ollie = new Ollie();
  readonly directory = join(this.ollie.folder, 'mnt');
  readonly random = new Random(SEED);

  async start(args: readonly string[]): Promise<void> {
    const scripts = join(this.ollie.folder, 'home/.config/ollie/scripts');
    mkdirSync(scripts, { recursive: true });
    for (const agent of AGENTS) writeFileSync(join(scripts, `timed-${agent.slice(-1)}.yaml`), this.model());
    await this.ollie.start({ args });
    await this.ollie.dialed(async (client) => {
      for (const name of ['one', 'two']) await client.writeAll('session/new', `name=${name}\n`);
      for (const agent of AGENTS) {
        const name = agent.slice(-1);
        await client.writeAll(`${agent.slice(0, -2)}/new`, `name=${name} model=timed-${name}\n`);
      }
    });
  }

  /** Runs the rounds, which are to say nothing but that they began, and gives what they said. */
  async run(prelude: string, rounds: readonly string[]): Promise<string> {
    const file = join(this.ollie.folder, 'rounds');
    writeFileSync(file, [prelude, ...rounds.map((round, i) => `r=${String(i + 1)}; echo began $r; ${round}`), ''].join('\n'));
    const { code, stdout, stderr } = await this.ollie.sh(`timeout ${String(LIMIT_S)} sh ${file}`);
    return code === 0 ? stdout + stderr : `${stdout}${stderr}ended with ${String(code)}\n`;
  }

  /** So that the waiting begins before, while, and after a turn ends. */
  pause(): string {
    return `sleep 0.0${String(this.random.below(LONGEST_MS)).padStart(2, '0')}`;
  }

  private model(): string {
    const step = (turn: number): string =>
      `  - { say: 'turn ${String(turn)}', stream: { chunk: 100, delayMs: ${String(this.random.below(LONGEST_MS + 1))} } }`;
    return ['steps:', ...Array.from({ length: ROUNDS }, (_, i) => step(i + 1)), ''].join('\n');
  }
}

function began(rounds: number): string {
  return Array.from({ length: rounds }, (_, i) => `began ${String(i + 1)}\n`).join('');
}

describeMount(`the fan-out and wait loops on a mount, turns of 0 to ${String(LONGEST_MS)} ms`, () => {
  const turns = new TimedTurns();

  beforeAll(() => turns.start(['--mount', turns.directory]));
  afterAll(() => turns.ollie.destroy());

  /** Every other round is typed in the shell itself; the others are a program of their own. */
  const round = (_: unknown, index: number): string => {
    const recipe = (name: string): string => (index % 2 === 0 ? `set -- ${name}; . ${RECIPES}` : `sh ${RECIPES} ${name}`);
    return [recipe('fan-out'), turns.pause(), recipe('wait-all'), 'check'].join('; ');
  };

  it(`end when all turns have ended, and no sooner, ${String(ROUNDS)} times`, async () => {
    const check = `cd ${turns.directory}
      check() {
        for a in session/*/agent/*/; do
          grep -qx state=idle $a/cfg && grep -qx turns=$r $a/stats || echo "missed by $a: $(grep -h -e ^state= -e ^turns= $a/cfg $a/stats)"
        done
      }`;
    expect(await turns.run(check, Array.from({ length: ROUNDS }, round))).toBe(began(ROUNDS));
  });

  it('left each agent as many turns, all told in its chat', async () => {
    const { stdout } = await turns.ollie.sh(`cd ${turns.directory}; grep -c '^.scripted. turn ' session/*/agent/*/chat`);
    expect(stdout).toBe(AGENTS.map((agent) => `${agent}/chat:${String(ROUNDS)}\n`).join(''));
  });
});

describe(`the fan-out and wait loops through ollie-9p, turns of 0 to ${String(LONGEST_MS)} ms`, () => {
  const turns = new TimedTurns();

  beforeAll(() => turns.start([]));
  afterAll(() => turns.ollie.destroy());

  it(`end when all turns have ended, and no sooner, ${String(ROUNDS_OF_PROGRAMS)} times`, async () => {
    const agents = AGENTS.join(' ');
    const round = `for a in ${agents}; do echo 'run tests' | ollie-9p write $a/prompt; done
      for a in ${agents}; do ollie-9p read $a/statewait > /dev/null; done
      for a in ${agents}; do ollie-9p read $a/stats | grep -qx turns=$r || echo missed by $a; done`;
    expect(
      await turns.run(
        '',
        Array.from({ length: ROUNDS_OF_PROGRAMS }, () => round),
      ),
    ).toBe(began(ROUNDS_OF_PROGRAMS));
  });
});
