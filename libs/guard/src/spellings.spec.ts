import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#config';
import { Guard } from './guard.js';
import { dangerousCases, isAsStrict, ordinaryCommands, PLACE, type DangerousCase } from './testing/parse-cases.js';

const own = join(packageRoot(), 'libs/guard/spellings');
const shared = join(process.env.OLLIE_CASES ?? join(packageRoot(), '../shared/cases'), 'commands');

let guard: Guard;
beforeAll(async () => {
  guard = await Guard.load();
});

/** Under `privilege` the class of the inner rule is as good, and the other way round. */
function isCaught({ command, rule, verdict: wanted }: DangerousCase): boolean {
  const found = guard.judge(command, PLACE);
  return isAsStrict(found.verdict, wanted) && (found.rule === rule || rule === 'privilege' || found.rule === 'privilege');
}

const isRefused = (command: string): boolean => isAsStrict(guard.judge(command, PLACE).verdict, 'ask');

describe('commands in many spellings', () => {
  it('are refused where they do harm', () => {
    const all = dangerousCases(join(own, 'dangerous.jsonl'));
    expect(all.length).toBeGreaterThanOrEqual(200);
    expect(all.filter((each) => !isCaught(each))).toEqual([]);
  });

  it('pass where they are ordinary', () => {
    const commands = ordinaryCommands(join(own, 'ordinary.jsonl'));
    expect(commands.length).toBeGreaterThanOrEqual(150);
    expect(commands.filter(isRefused)).toEqual([]);
  });
});

const cases = existsSync(join(shared, 'dangerous.jsonl')) ? describe : describe.skip;
if (cases === describe.skip) process.stderr.write(`guard: the shared cases are not there (${shared}), so they are not run\n`);

cases('the shared cases', () => {
  it('are refused where they do harm', () => {
    expect(dangerousCases(join(shared, 'dangerous.jsonl')).filter((each) => !isCaught(each))).toEqual([]);
  });

  it('pass where they are ordinary', () => {
    expect(ordinaryCommands(join(shared, 'ordinary.txt')).filter(isRefused)).toEqual([]);
  });
});
