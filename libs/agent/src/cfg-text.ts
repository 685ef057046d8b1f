import { escapeField, GENERATION_KEYS, type AgentState, type JsonValue } from '#model';
import type { AgentIdentity } from './agent-identity.js';
import type { AgentSettings } from './agent-settings.js';

export interface CfgFacts {
  readonly state: AgentState;
  readonly action: string;
  readonly identity: AgentIdentity;
  readonly name: string;
  readonly profileName: string;
  readonly backend: string;
  readonly model: string;
  readonly settings: AgentSettings;
}

/** The text of `cfg`, keys in the contract's order; an empty value is the default. */
export function cfgText(facts: CfgFacts): string {
  const { identity, settings } = facts;
  const { cwd, params } = settings.values;
  const rows: readonly (readonly [string, string])[] = [
    ['state', facts.state],
    ['action', facts.action],
    ['session', identity.sessionId],
    ['id', identity.id],
    ['name', facts.name],
    ['agent', facts.profileName],
    ['backend', facts.backend],
    ['model', facts.model],
    ['cwd', cwd],
    ['remote', ''],
    ['maxSteps', String(settings.maxSteps)],
    ['compactionModel', settings.compactionModel],
    ['autoLoad', settings.autoLoad.join(',')],
    ['feed', settings.feed],
    ...GENERATION_KEYS.map((key) => [key, parameterText(params[key])] as const),
  ];
  return rows.map(([key, value]) => `${key}=${escapeField(value)}\n`).join('');
}

/** A parameter as text; empty = the default. */
export function parameterText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
