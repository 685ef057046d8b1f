import type { ModelRequest } from '#model';
import { ConversationFold } from './conversation-fold.js';
import { ScriptRefusal } from './errors.js';
import { isReply, type Condition, type Script, type Step } from './script.js';
import { after, START, type Situation } from './situation.js';
import type { Scope } from './template.js';

/** The step that answers a request. `fails`: this attempt gets the step's failure. */
export interface Move {
  readonly step: Step;
  readonly scope: Scope;
  readonly fails: boolean;
}

/**
 * The next step, out of nothing but the script and the conversation: the place in a sequence is found by going through
 * the replies so far. `attempt` counts earlier requests with this very conversation, so that a failure can pass.
 * Throws ScriptRefusal that names what each step waited for when none fits.
 */
export function nextMove(script: Script, request: ModelRequest, attempt: number): Move {
  const offered = new Set(request.tools.map(({ name }) => name));
  const { position, situation } = standingsFor(script, offered).after(request.messages);
  const now = { situation, offered, attempt };
  const step = find(script, position, now);
  return { step, scope: scopeOf(step, situation), fails: step.fail !== undefined && attempt < step.fail.times };
}

/** Where a script stands after a message. */
interface Standing {
  readonly position: number;
  readonly situation: Situation;
}

interface Standings {
  readonly tools: string;
  readonly fold: ConversationFold<Standing>;
}

/** Those with the tools that the newest request offered. */
const standings = new WeakMap<Script, Standings>();

function standingsFor(script: Script, offered: ReadonlySet<string>): ConversationFold<Standing> {
  const tools = JSON.stringify([...offered]);
  const known = standings.get(script);
  if (known?.tools === tools) return known.fold;
  const fold = new ConversationFold<Standing>(
    () => ({ position: 0, situation: START }),
    ({ position, situation }, message) => {
      const isReplied = message.role === 'assistant' && script.order === 'sequence';
      const next = isReplied ? positionAfter(script, find(script, position, { situation, offered, attempt: Infinity })) : position;
      return { position: next, situation: after(situation, message) };
    },
  );
  standings.set(script, { tools, fold });
  return fold;
}

interface Now {
  readonly situation: Situation;
  readonly offered: ReadonlySet<string>;
  readonly attempt: number;
}

function find(script: Script, position: number, now: Now): Step {
  const unmet: string[] = [];
  for (const step of script.steps.slice(position)) {
    if (!isReply(step) && now.attempt >= (step.fail?.times ?? 0)) continue;
    const why = unmetIn(step.when, now);
    if (why === undefined) return step;
    unmet.push(`${step.place} wants ${why}`);
  }
  throw new ScriptRefusal(unmet.length > 0 ? `no step fits: ${unmet.join('; ')}` : `${script.name}: the script is over`);
}

function positionAfter(script: Script, step: Step): number {
  const target = step.goto === undefined ? undefined : script.steps.findIndex(({ label }) => label === step.goto);
  return target ?? script.steps.indexOf(step) + 1;
}

function unmetIn(when: Condition, { situation, offered }: Now): string | undefined {
  const { lastUser, turn, n, hasTool } = when;
  if (turn !== undefined && turn !== situation.turn) return `turn ${turn}, this is ${situation.turn}`;
  if (n !== undefined && n !== situation.n) return `n ${n}, this is ${situation.n}`;
  if (lastUser && !lastUser.match(situation.lastUser.trim())) return `lastUser ${lastUser.source}`;
  if (hasTool !== undefined && !offered.has(hasTool)) return `tool ${hasTool} to be offered`;
  return unmetTool(when.lastTool, situation);
}

function unmetTool(wanted: Condition['lastTool'], { results }: Situation): string | undefined {
  if (!wanted) return undefined;
  const last = results.at(-1);
  if (!last) return 'a tool result, there is none';
  if (wanted.name !== undefined && wanted.name !== last.name) return `lastTool.name ${wanted.name}, it is ${last.name}`;
  if (wanted.ok !== undefined && wanted.ok !== last.ok) return `lastTool.ok ${wanted.ok}`;
  return !wanted.match || wanted.match.match(last.text) ? undefined : `lastTool.match ${wanted.match.source}`;
}

function scopeOf({ when }: Step, { lastUser, results }: Situation): Scope {
  const user = lastUser.trim();
  const last = results.at(-1);
  return {
    user,
    userGroups: when.lastUser?.match(user) ?? [],
    tool: last?.text,
    toolName: last?.name,
    toolGroups: when.lastTool?.match?.match(last?.text ?? '') ?? [],
    results: results.map(({ text }) => text),
  };
}
