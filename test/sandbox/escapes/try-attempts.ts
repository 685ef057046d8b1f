import { readFileSync } from 'node:fs';
import type { HelperReport } from '#sandbox';
import type { Programs } from '../programs.js';
import type { AreaAttempt, Attempt, Setting } from './attempt.js';
import { callerFor, type Caller, type Told, type Walls } from './callers.js';
import { Scene } from './scene.js';

type Verdicts = ReadonlyMap<AreaAttempt, string>;

const settings: readonly Setting[] = ['open', 'offline', 'staged', 'twice', 'checkout'];
const settingOf = ({ setting }: Attempt): Setting => setting ?? 'open';

/** Where there is no helper for each call, there is none to be handed a terminal or a link. */
export const isFor = (walls: Walls, attempt: Attempt): boolean =>
  walls !== 'supervised' || !['staged', 'twice'].includes(settingOf(attempt));

/** Tries all of them in a scene of its own, those of a setting in one call. Of each: `escaped` or `held`, and what the tool said. */
export async function tryAttempts(programs: Programs, uid: number, walls: Walls, attempts: readonly AreaAttempt[]): Promise<Verdicts> {
  const scene = await Scene.open(programs, uid);
  try {
    const told = new Map<Setting, Told>();
    for (const setting of settings) told.set(setting, await tryThose(scene, callerFor(scene, walls, setting), setting, attempts));
    const oomScore = readFileSync(`/proc/${scene.neighbour.pid}/oom_score_adj`, 'utf8').trim();
    await scene.finish();
    return new Map(attempts.map((attempt, id) => [attempt, judge(attempt, id, scene, told, oomScore)]));
  } finally {
    await scene.close();
  }
}

/** The attempts of one setting; first what has to come before. */
async function tryThose(scene: Scene, call: Caller, setting: Setting, attempts: readonly AreaAttempt[]): Promise<Told> {
  const linesOf = (wordsOf: (attempt: Attempt) => readonly string[] | undefined): readonly string[] =>
    attempts.flatMap((attempt, id) => {
      const words = settingOf(attempt) === setting ? wordsOf(attempt) : undefined;
      return words ? [[id, ...words].join(' ')] : [];
    });
  const first = linesOf((attempt) => attempt.before?.(scene));
  const lines = linesOf((attempt) => [attempt.way, ...attempt.words(scene)]);
  if (first.length > 0) await call(first);
  return lines.length > 0 ? call(lines) : { output: '', reports: [] };
}

function judge(attempt: AreaAttempt, id: number, scene: Scene, told: ReadonlyMap<Setting, Told>, oomScore: string): string {
  const { output, reports } = told.get(settingOf(attempt)) ?? { output: '', reports: [] };
  const line = output.match(new RegExp(`^${id}\\t(\\w+)\\t(.*)$`, 'm'));
  if (!line) return untried(attempt, reports);
  const answer = { reached: line[1] === 'reached', text: line[2]?.trim() ?? '' };
  const typed = Number(output.match(/^typed\t(\d+)$/m)?.[1] ?? 0);
  const verdict = attempt.escaped({ answer, scene, reports, typed, oomScore }) ? 'escaped' : 'held';
  return `${verdict}: ${line[1]} ${answer.text}`.slice(0, 200);
}

/** A helper that refuses to run what would come second has held as well. */
function untried({ before }: Attempt, reports: readonly HelperReport[]): string {
  const refused = reports.find(({ type }) => type === 'failed');
  return `${before && refused ? 'held' : 'not tried'}: ${JSON.stringify(reports)}`;
}
