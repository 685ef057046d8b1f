import { readFileSync } from 'node:fs';
import type { AreaAttempt, Attempt } from './escapes/attempt.js';
import type { Walls } from './escapes/callers.js';
import { attempts } from './escapes/table.js';
import { isFor, tryAttempts } from './escapes/try-attempts.js';
import { describeModes, hasCells } from './modes.js';
import { Programs } from './programs.js';
import { identities } from './world.js';

const LIMIT_MS = 60_000;
const capabilities = BigInt(`0x${readFileSync('/proc/self/status', 'utf8').match(/^CapEff:\s+(\S+)$/m)?.[1] ?? '0'}`);
const describeCells = hasCells() ? describe : describe.skip;

describe.each(identities)('what a tool that runs as %s tries', (_name, uid) => {
  let programs: Programs;
  beforeAll(() => (programs = new Programs(['reach', 'neighbour', 'stage'])), LIMIT_MS);
  afterAll(() => programs.remove());

  /** Tries them all before the first of the tests that look at what came of it. */
  function tried(walls: Walls): readonly (readonly [string, AreaAttempt, () => string])[] {
    const those = attempts.filter((attempt) => (attempt.by?.(uid) ?? true) && isFor(walls, attempt));
    let verdicts: ReadonlyMap<AreaAttempt, string> = new Map();
    beforeAll(async () => void (verdicts = await tryAttempts(programs, uid, walls, those)), LIMIT_MS);
    return those.map((attempt) => [`${attempt.area}: ${attempt.name}`, attempt, () => verdicts.get(attempt) ?? 'unknown'] as const);
  }

  /** What is known to get out where there is no cell. Root's tools have fewer capabilities than root's other programs. */
  function getsOut({ known, isOfEqualsOnly }: Attempt, isCell: boolean): boolean {
    return !isCell && known !== undefined && !(isOfEqualsOnly && uid === 0);
  }

  describeModes('fails under the packaged policy', ({ mode, cell }) => {
    it.each(tried(mode))('%s', (_title, attempt, verdict) => {
      expect(verdict()).toMatch(getsOut(attempt, cell) ? /^escaped/ : /^held/);
    });
  });

  /** Supervisors run as whoever starts them. */
  if (uid === process.getuid?.())
    describeCells('fails under the packaged policy (cell of a supervisor)', () => {
      it.each(tried('supervised'))('%s', (_title, _attempt, verdict) => {
        expect(verdict()).toMatch(/^held/);
      });
    });

  describe('succeeds without a sandbox', () => {
    const canBeShown = ({ needs }: Attempt): boolean => needs === undefined || (uid === 0 && ((capabilities >> BigInt(needs)) & 1n) === 1n);
    it.each(tried('outside').filter(([, attempt]) => canBeShown(attempt)))('%s', (_title, attempt, verdict) => {
      if (verdict().startsWith('held') && attempt.absent?.test(verdict())) return;
      expect(verdict()).toMatch(/^escaped/);
    });
  });
});
