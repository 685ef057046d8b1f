import type { Clock } from '#model';
import type { Log } from '#config';
import type { AgentSettings } from './agent-settings.js';
import type { BackendChoice } from './backend-choice.js';
import type { TurnParts } from './turn.js';

/** Where the turns of an agent get what they work with. */
export interface TurnSources extends Pick<TurnParts, 'conversation' | 'emit' | 'act' | 'tools' | 'takeInjection'> {
  readonly memory: Pick<TurnParts, 'history' | 'usage'>;
  readonly settings: AgentSettings;
  readonly choice: BackendChoice;
  readonly systemPrompt: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

/** What may change between two turns is looked at when it is needed. */
export function turnPartsFrom({ memory, settings, choice, systemPrompt, ...fixed }: TurnSources): TurnParts {
  return {
    ...fixed,
    random: Math.random,
    maxStepsNudge: settings.profile.maxStepsNudge,
    choose: () => choice.resolve(),
    get system() {
      return systemPrompt();
    },
    get params() {
      return settings.values.params;
    },
    get cwd() {
      return settings.values.cwd;
    },
    get maxSteps() {
      return settings.maxSteps;
    },
    get history() {
      return memory.history;
    },
    get usage() {
      return memory.usage;
    },
  };
}
