import { SupervisorLauncher, type Run } from '#exec';
import { findHelper, type RunOrder } from '#sandbox';
import { until } from '../support/until.js';
import { hasCells } from './modes.js';
import { reachingWorld } from './reaching-world.js';

const describeCells = hasCells() ? describe : describe.skip;
const WAYS = ['kill', 'signal-thread', 'signal-descriptor', 'ptrace', 'performance', 'limit', 'take-descriptor', 'environ', 'maps', 'open'];

interface Call {
  readonly run: Run;
  readonly output: () => string;
}

/** Calls of one session share a cell: they see each other there. */
describeCells('two calls in one cell', () => {
  const at = reachingWorld(process.getuid?.() ?? 0);
  let launcher: SupervisorLauncher;
  beforeAll(() => (launcher = new SupervisorLauncher(findHelper())));
  afterAll(() => launcher.close());

  function call(argv: readonly string[], change: Partial<RunOrder>): Call {
    let text = '';
    const listener = { started: () => undefined, output: (chunk: Uint8Array) => void (text += Buffer.from(chunk).toString()) };
    return { run: launcher.launch({ ...at.world.order(argv), ...change }, undefined, listener), output: () => text };
  }

  /** What one hears when it goes for the other. */
  async function attack(change: Partial<RunOrder>): Promise<Readonly<Record<string, string>>> {
    expect(await launcher.whenReady({ ...at.world.order(['true']), ...change })).toBe(true);
    const victim = call(['sh', '-c', 'trap : USR2 HUP; exec 5</etc/passwd; echo $$; while :; do sleep 0.05; done'], change);
    await until('the other call runs', () => victim.output().includes('\n'));
    const pid = victim.output().trim();
    const words = { 'take-descriptor': `${pid} 5`, maps: `${pid} /`, environ: `/proc/${pid}/environ`, open: `/proc/${pid}/fd/5` };
    const lines = WAYS.map(
      (way) => `${way} ${['environ', 'open'].includes(way) ? 'read' : way} ${new Map(Object.entries(words)).get(way) ?? pid}`,
    );
    const attacker = call([at.reach, '-', ...lines], change);
    await attacker.run.ended;
    victim.run.kill();
    await victim.run.ended;
    return Object.fromEntries(attacker.output().trim().split('\n').map(answerOf));
  }

  const answerOf = (line: string): [string, string] => {
    const [way = '', said = '', why = ''] = line.split('\t');
    return [way, said === 'reached' ? said : why];
  };

  it('do nothing to each other', async () => {
    const answers = await attack({ cell: true });
    expect(Object.keys(answers)).toEqual(WAYS);
    expect(Object.values(answers).filter((answer) => !['EPERM', 'EACCES'].includes(answer))).toEqual([]);
  });

  it('could do anything if they were in no sandbox', async () => {
    expect(await attack({ policy: undefined, cell: false })).toEqual(Object.fromEntries(WAYS.map((way) => [way, 'reached'])));
  });
});
