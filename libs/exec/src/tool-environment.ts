import { isSecretName, type Environment } from '#config';
import { toolEnvironment, type SandboxPolicy } from '#sandbox';
import { programSearchPath } from '#tools';
import { CallRefusedError } from './errors.js';

/** Programs that would ask, page or colour a terminal are told that there is none. */
const NO_TERMINAL = { TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' } as const;
/** `scheme://user:secret@host` */
const URL_WITH_LOGIN = /:\/\/[^/\s]*@/;

export interface EnvironmentSources {
  readonly server: Environment;
  readonly policy: SandboxPolicy;
  /** What the tool's metadata asks for by name. */
  readonly wanted: readonly string[];
  /** What the call brings along. */
  readonly call: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly tmp: string;
  readonly agent: string;
  readonly session: string;
}

/**
 * The whole environment of a tool, built up from nothing: what the policy and the metadata name, Ollie's own
 * variables without anything secret, the call's, and what is true of every tool. Throws CallRefusedError for a
 * variable that the call brings and the policy does not allow.
 */
export function environmentFor(sources: EnvironmentSources): Record<string, string> {
  const { policy, call, cwd, tmp } = sources;
  refuseForeign(policy, call);
  const own = { OLLIE_AGENT_ID: sources.agent, OLLIE_SESSION_ID: sources.session };
  const env = { ...commonEnvironment(sources), ...call, ...nonEmpty(own), TMPDIR: tmp, PWD: cwd };
  return call['PATH'] === undefined ? env : { ...env, PATH: programSearchPath(call['PATH']) };
}

type CommonSources = Pick<EnvironmentSources, 'server' | 'policy' | 'wanted'>;

interface Common extends CommonSources {
  readonly env: Record<string, string>;
}

/** Of each policy the last: a tool's calls come one after the other. */
const common = new WeakMap<SandboxPolicy, Common>();

/** What all calls of a tool have. Policies, metadata and the server's environment do not change once they are read. */
function commonEnvironment({ server, policy, wanted }: CommonSources): Record<string, string> {
  const known = common.get(policy);
  if (known?.server === server && known.wanted === wanted) return known.env;
  const allowed = wanted.filter((name) => name !== 'SSH_AUTH_SOCK' || policy.env.includes(name));
  const named = Object.fromEntries(allowed.map((name) => [name, server[name]]));
  const env = defined({ ...toolEnvironment(policy, server), ...ollieVariables(server), ...named, ...NO_TERMINAL });
  env['PATH'] = programSearchPath(env['PATH'] ?? server['PATH']);
  common.set(policy, { server, policy, wanted, env });
  return env;
}

function refuseForeign(policy: SandboxPolicy, call: Readonly<Record<string, string>>): void {
  if (Object.keys(call).length === 0) return;
  const allowed = toolEnvironment(policy, call);
  const foreign = Object.keys(call).find((name) => !(name in allowed) && !isOwnVariable(name, call[name]));
  if (foreign !== undefined) throw new CallRefusedError(`invalid arguments: /env.${foreign} is not allowed by the sandbox policy`);
}

function ollieVariables(server: Environment): Environment {
  return Object.fromEntries(Object.entries(server).filter(([name, value]) => isOwnVariable(name, value)));
}

function isOwnVariable(name: string, value: string | undefined): boolean {
  return name.startsWith('OLLIE_') && !isSecretName(name) && !URL_WITH_LOGIN.test(value ?? '');
}

function defined(env: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function nonEmpty(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}
