import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#config';
import { ALLOW, ENOSYS, judged, KILL_PROCESS, rightAnswer, tellingValues, type Filter } from './filter-answers.js';
import { judge, parseProgram, type Instruction } from './filter-machine.js';

const native = process.arch === 'arm64' ? 0xc00000b7 : 0xc000003e;
const zeros = Array<number>(12).fill(0);

const sides = [false, true];
const filters: readonly Filter[] = sides.flatMap((inet) =>
  sides.flatMap((unix) => sides.flatMap((ipc) => sides.map((root) => ({ inet, unix, ipc, root })))),
);

/** Six arguments from these values, the upper half mostly zero; the same ones every time. */
function argumentSets(count: number): readonly (readonly number[])[] {
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  const half = (): number => tellingValues[random(tellingValues.length)] ?? 0;
  return Array.from({ length: count }, () => Array.from({ length: 12 }, (_, at) => (at % 2 === 0 || random(4) === 0 ? half() : 0)));
}

describe('the system call filter', () => {
  const folder = mkdtempSync('/tmp/ollie-filter-');
  const printer = join(folder, 'filter-program');
  const print = (...args: readonly string[]): readonly Instruction[] =>
    parseProgram(execFileSync(printer, args, { encoding: 'utf8', maxBuffer: 1 << 24 }));
  const load = ({ inet, unix, ipc, root }: Filter): readonly Instruction[] =>
    print('calls', ...[inet, unix, ipc].map((on) => (on ? '1' : '0')), root ? '0' : '1000');
  beforeAll(() => {
    const sources = ['test/sandbox/fixtures/filter-program.c', 'native/seccomp.c', 'native/filter.c'].map((file) =>
      join(packageRoot(), file),
    );
    const { status, stderr } = spawnSync('cc', ['-O1', '-o', printer, ...sources], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(filters)('with inet=$inet, unix=$unix, ipc=$ipc, root=$root', (filter) => {
    let program: readonly Instruction[];
    beforeAll(() => {
      program = load(filter);
    });
    const differences = (numbers: Iterable<number>, sets: readonly (readonly number[])[]): readonly object[] =>
      [...numbers].flatMap((number) =>
        sets
          .map((args) => ({
            number,
            args,
            got: judge(program, { number, arch: native, args }).action,
            due: rightAnswer(number, args, filter),
          }))
          .filter(({ got, due }) => got !== due),
      );

    it('answers every call number as the rules say', () => {
      expect(differences(Array(1024).keys(), argumentSets(20)).slice(0, 3)).toEqual([]);
    });

    it('judges arguments as the rules say', () => {
      expect(differences(judged.keys(), argumentSets(4000)).slice(0, 3)).toEqual([]);
    });

    it('kills foreign architectures, and knows no x32 call', () => {
      for (const number of Array(1024).keys()) {
        for (const arch of [0x40000003, 0x40000028, native ^ 1, 0])
          expect(judge(program, { number, arch, args: zeros }).action).toBe(KILL_PROCESS);
        const x32 = judge(program, { number: 0x40000000 + number, arch: native, args: zeros }).action;
        expect(x32).toBe(process.arch === 'x64' ? ENOSYS : ALLOW);
      }
    });

    // The kernel tries each of its numbers when it loads the filter: of a list that alone took 50 us.
    it('settles a call that needs no argument within a dozen steps', () => {
      const plain = [...Array(1024).keys()].filter((number) => !judged.has(number));
      const steps = plain.map((number) => judge(program, { number, arch: native, args: zeros }).steps);
      expect(Math.max(...steps)).toBeLessThanOrEqual(12);
    });
  });

  it('finds its way where jumps are longer than the short form reaches, and just as long', () => {
    for (let count = 170; count <= 250; count++) {
      const program = print('spans', String(count));
      expect(Math.max(...program.map(({ code, value }) => (code === 0x05 ? value : 0)))).toBeGreaterThan(count);
      const answers = Array.from({ length: 3 * count + 100 }, (_, number) => judge(program, { number, arch: native, args: zeros }).action);
      expect(answers).toEqual(answers.map((_, number) => Math.min(Math.floor(number / 3), count - 1)));
    }
  });
});
