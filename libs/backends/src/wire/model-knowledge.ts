import type { ModelFacts, StreamEvent, Usage } from '#model';

/** What is known of a backend's models without asking their provider. */
export interface ModelKnowledge {
  /** Undefined for a model that nobody knows. */
  facts(model: string): ModelFacts | undefined;
  /** In USD; undefined when nobody knows the price. */
  costOf(model: string, usage: Usage): number | undefined;
}

export const nothingKnown: ModelKnowledge = { facts: () => undefined, costOf: () => undefined };

/** What is told and, where nothing is, what is known. */
export function completed(told: ModelFacts, known: ModelFacts | undefined): ModelFacts {
  const capabilities = { ...known?.capabilities, ...told.capabilities };
  return { ...known, ...told, ...(Object.keys(capabilities).length > 0 ? { capabilities } : {}) };
}

/** Events with the cost of their usage; what the provider itself has billed stays. */
export function priced(events: readonly StreamEvent[], model: string, knowledge: ModelKnowledge): readonly StreamEvent[] {
  return events.map((event) => {
    if (event.type !== 'usage' || event.usage.costUSD !== undefined) return event;
    const costUSD = knowledge.costOf(model, event.usage);
    return costUSD === undefined ? event : { type: 'usage', usage: { ...event.usage, costUSD } };
  });
}
