import type { ToolHost } from '#model';
import type { AgentSettings } from './agent-settings.js';
import type { BackendChoice } from './backend-choice.js';

/**
 * Has the tool server begin to start, if a turn with these settings would ask it: that takes longer than to read what an
 * earlier process has left of the agent, which comes first in a turn.
 */
export function prepareHands(hands: ToolHost, settings: AgentSettings, choice: BackendChoice): void {
  if (settings.tools !== false && choice.configured() !== undefined) hands.prepare();
}
