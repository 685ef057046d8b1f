import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { ScriptRefusal } from '../errors.js';
import type { Plan } from '../plan.js';
import { faultOf, play } from '../play.js';
import { failureText, type StatusFailure } from '../script.js';
import { BodyWriter, breakOff, BrokenOff } from './body-writer.js';
import { Cutter, type Cuts } from './cutter.js';
import type { Face, Question, Speech } from './face.js';
import { sendBody } from './send-body.js';

/** What an answer needs beside the plan of what it says. */
export interface Answering {
  readonly face: Face;
  readonly question: Question;
  readonly response: ServerResponse;
  readonly cuts: Cuts;
}

/** Resolves when the answer is written, broken off or given up; one that falls silent has its client to end it. */
export async function sendAnswer(plan: Plan, answering: Answering): Promise<void> {
  const { face, response } = answering;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { fail } = plan;
  if (fail?.kind === 'slow') await setTimeout(fail.delayMs, undefined, { signal: gone.signal });
  if (fail?.kind === 'status' && (fail.after === undefined || !answering.question.isStreaming))
    return sendBody(response, fail.status, bodyOf(fail, face), fail.headers);
  try {
    await say(plan, answering, gone.signal);
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error;
    if (error.fault.kind !== 'stall') await breakOff(response, error.fault.kind === 'reset');
  }
}

async function say(plan: Plan, { face, question, response, cuts }: Answering, gone: AbortSignal): Promise<void> {
  const speech = question.speak(plan);
  const writer = new BodyWriter(response, new Cutter(cutsOf(plan, cuts)), speech.garbage, onWire(plan));
  if (question.isStreaming) await stream(plan, { face, speech, response, writer }, gone);
  else await whole(speech.whole(), { response, writer }, gone);
  response.end();
}

interface Writing {
  readonly response: ServerResponse;
  readonly writer: BodyWriter;
}

async function whole(body: object, { response, writer }: Writing, gone: AbortSignal): Promise<void> {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json' });
  await writer.write(text, gone);
}

async function stream(plan: Plan, on: Writing & { readonly face: Face; readonly speech: Speech }, gone: AbortSignal): Promise<void> {
  const { face, speech, response, writer } = on;
  response.writeHead(200, { 'content-type': speech.contentType, 'cache-control': 'no-cache' });
  for (const event of speech.open()) await writer.write(event, gone);
  for await (const played of play(inText(plan), gone)) {
    if (played.type === 'fault' && played.fault.kind === 'status')
      return await writer.write(speech.failure(errorOf(played.fault, face)), gone);
    if (played.type === 'fault') await writer.strike(gone, played.fault);
    else for (const event of speech.delta(played)) await writer.write(event, gone);
  }
  for (const event of speech.close()) await writer.write(event, gone);
}

/** The fault that the writer looks after: it counts bytes or events. Of an answer in one piece nothing else can be counted. */
function onWire(plan: Plan): ReturnType<typeof faultOf> {
  const fault = faultOf(plan);
  return fault?.kind !== 'status' && fault?.unit !== 'characters' ? fault : undefined;
}

/** The plan with no other faults than those that count characters. */
function inText(plan: Plan): Plan {
  return onWire(plan) ? { ...plan, fail: undefined } : plan;
}

/** Each answer has cuts of its own, so that answers at the same time do not change each other's. */
function cutsOf({ pace, id }: Plan, server: Cuts): Cuts {
  const seed = pace.seed ?? server.seed;
  const own = Number(/\d+$/.exec(id)?.[0] ?? 0);
  return { seed: seed === undefined ? undefined : seed + own, isBytewise: pace.isBytewise || server.isBytewise };
}

function errorOf(fail: StatusFailure, face: Face): ReturnType<Face['error']> {
  const after = Number(fail.headers['retry-after']);
  return face.error(new ScriptRefusal(failureText(fail), fail.status, '', null, Number.isFinite(after) ? after : undefined));
}

function bodyOf(fail: StatusFailure, face: Face): StatusFailure['body'] {
  return fail.body ?? errorOf(fail, face);
}
