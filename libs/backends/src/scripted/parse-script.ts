import { Place } from '../place.js';
import { readFailure } from './parse-failure.js';
import { readMatcher } from './matcher.js';
import { isReply, type Condition, type Script, type ScriptedCall, type Step } from './script.js';
import { readFilled, readTemplate } from './template.js';

const STEP_KEYS = ['label', 'when', 'say', 'think', 'calls', 'usage', 'stop', 'stream', 'fail', 'goto'] as const;

/**
 * Checks a script that was read from YAML (its shape is in the README of this lib). `origin` is what errors call it.
 * Throws ConfigError naming file, step and key.
 */
export function parseScript(value: unknown, origin: string): Script {
  const { order, contextLength, steps } = new Place(value, origin).fields('order', 'contextLength', 'steps');
  const script: Script = {
    name: origin,
    order: order.maybe((place) => place.oneOf('sequence', 'any')) ?? 'sequence',
    contextLength: contextLength.maybe((place) => place.whole(1)),
    steps: steps.list().map((place, i) => readStep(place.at(`${origin}: step ${i + 1}`))),
  };
  checkJumps(script);
  return script;
}

function checkJumps({ order, steps }: Script): void {
  const labels = new Set<string>();
  for (const { label, place } of steps) {
    if (label !== undefined && labels.has(label)) new Place(label, place).fail(`label ${label} is there twice`);
    if (label !== undefined) labels.add(label);
  }
  for (const { goto, place } of steps) {
    if (goto !== undefined && order === 'any') new Place(goto, place).fail('goto has no meaning with order: any');
    if (goto !== undefined && !labels.has(goto)) new Place(goto, place).fail(`goto ${goto}: no such label`);
  }
}

function readStep(place: Place): Step {
  const field = place.fields(...STEP_KEYS);
  const step: Step = {
    place: place.where,
    label: field.label.maybe((it) => it.text()),
    goto: field.goto.maybe((it) => it.text()),
    when: readCondition(field.when),
    say: field.say.maybe(readTemplate),
    think: field.think.maybe(readTemplate),
    calls: field.calls.maybe((it) => it.list().map(readCall)) ?? [],
    usage: readUsage(field.usage),
    stop: field.stop.maybe((it) => it.oneOf('stop', 'length', 'content_filter')),
    stream: readPace(field.stream),
    fail: field.fail.maybe(readFailure),
  };
  if (!isReply(step) && !step.fail) place.fail('expected say, think, calls or fail');
  return step;
}

function readCondition(place: Place): Condition {
  const when = place.orEmpty().fields('lastUser', 'lastTool', 'hasTool', 'turn', 'n');
  return {
    lastUser: when.lastUser.maybe(readMatcher),
    lastTool: when.lastTool.maybe((it) => {
      const { name, ok, match } = it.fields('name', 'ok', 'match');
      return { name: name.maybe((one) => one.text()), ok: ok.maybe((one) => one.flag()), match: match.maybe(readMatcher) };
    }),
    hasTool: when.hasTool.maybe((it) => it.text()),
    turn: when.turn.maybe((it) => it.whole(1)),
    n: when.n.maybe((it) => it.whole(1)),
  };
}

function readCall(place: Place): ScriptedCall {
  const { tool, args, raw } = place.fields('tool', 'args', 'raw');
  args.maybe((it) => it.entries());
  return { tool: tool.text(), args: args.maybe(readFilled) ?? (() => ({})), raw: raw.maybe((it) => it.text()) };
}

function readUsage(place: Place): Step['usage'] {
  const usage = place.orEmpty().fields('in', 'out', 'read', 'write');
  const count = (it: Place): number | undefined => it.maybe((one) => one.whole(0));
  return { in: count(usage.in), out: count(usage.out), read: count(usage.read), write: count(usage.write) };
}

function readPace(place: Place): Step['stream'] {
  const { chunk, delayMs, seed } = place.orEmpty().fields('chunk', 'delayMs', 'seed');
  const isBytewise = chunk.is('bytes');
  return {
    chunk: isBytewise ? undefined : chunk.maybe((it) => it.whole(1)),
    delayMs: delayMs.maybe((it) => it.whole(0)) ?? 0,
    isBytewise,
    seed: seed.maybe((it) => it.whole(0)),
  };
}
