import type { AgentSettings } from '../agent-settings.js';
import type { ToolOffer } from '../agent-tools.js';
import type { AgentMemory } from './agent-memory.js';

/** What the settings offer; what was loaded and unloaded by command since is kept, and stands above their `autoLoad`. */
export function keptToolOffer(settings: AgentSettings, memory: AgentMemory): ToolOffer {
  return {
    get tools() {
      return settings.tools;
    },
    get autoLoad() {
      return memory.tools ?? settings.autoLoad;
    },
    keep: (loaded) => memory.keepTools(loaded),
  };
}
