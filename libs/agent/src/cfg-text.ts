import { escapeField, type AgentState, type GenerationParams, type JsonValue } from '#model';
import type { AgentIdentity } from './agent-identity.js';
import { GENERATION_KEYS } from './generation-keys.js';

export interface CfgFacts {
  readonly state: AgentState;
  readonly action: string;
  readonly identity: AgentIdentity;
  readonly profileName: string;
  readonly backend: string;
  readonly model: string;
  readonly maxSteps: number;
  readonly autoLoad: readonly string[];
  readonly params: GenerationParams;
}

/** The text of `cfg`, keys in the contract's order; an empty value is the default. */
export function cfgText(facts: CfgFacts): string {
  const { identity, params } = facts;
  const rows: readonly (readonly [string, string])[] = [
    ['state', facts.state],
    ['action', facts.action],
    ['session', identity.sessionId],
    ['id', identity.id],
    ['name', identity.name],
    ['agent', facts.profileName],
    ['backend', facts.backend],
    ['model', facts.model],
    ['cwd', identity.cwd],
    ['maxSteps', String(facts.maxSteps)],
    ['autoLoad', facts.autoLoad.join(',')],
    ...GENERATION_KEYS.map((key) => [key, parameterText(params[key])] as const),
  ];
  return rows.map(([key, value]) => `${key}=${escapeField(value)}\n`).join('');
}

function parameterText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
