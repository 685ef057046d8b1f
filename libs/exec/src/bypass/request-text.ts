import { shownJson } from '#approvals';
import { isSecretName, visible } from '#config';
import type { JsonObject } from '#model';
import type { BypassOrder } from './bypass-order.js';

const MASK = '***';
/** `scheme://user:secret@` */
const LOGIN = /(:\/\/)[^/\s]*@/g;

/** When a request was made and when it ends, milliseconds since the epoch. */
export interface RequestTimes {
  readonly ts: number;
  readonly expires: number;
}

/** The command as a person reads it: the `cmd` argument, else the tool with all its arguments. Nothing is left out, whatever the caller calls it. */
export function shownCommand({ tool, args }: Pick<BypassOrder, 'tool' | 'args'>): string {
  const { cmd } = args;
  return visible(typeof cmd === 'string' ? cmd : `${tool} ${JSON.stringify(args)}`);
}

/**
 * One line of JSON for observers (contract section 3). What a person reads has its control and bidi characters made
 * visible; `args` are exact, escaped as JSON. Values of variables with secret names are masked.
 */
export function requestText(id: string, order: BypassOrder, times: RequestTimes, hash: string): string {
  const { kind, question, agent, session, call, tool, args, sandbox, cwd } = order;
  const shown: JsonObject = {
    id,
    agent: visible(agent),
    tool: visible(tool),
    command: shownCommand(order),
    cwd: visible(cwd),
    env: shownEnvironment(order.env),
    ...times,
    kind,
    ...(question === undefined ? {} : { rule: visible(question.rule), why: visible(question.why) }),
    ...(sandbox === 'default' ? {} : { sandbox: visible(sandbox) }),
    session: visible(session),
    call: visible(call),
    args,
    hash,
  };
  return shownJson(shown);
}

function shownEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = Object.keys(env).sort();
  return Object.fromEntries(names.map((name) => [visible(name), isSecretName(name) ? MASK : visible(withoutLogin(env[name] ?? ''))]));
}

function withoutLogin(value: string): string {
  return value.replace(LOGIN, `$1${MASK}@`);
}
