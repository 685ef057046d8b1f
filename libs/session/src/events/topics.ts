import type { Topic } from '#model';

/**
 * `all`: every event is delivered, in order. `latest`: of those that a reader has not had, it gets the newest of each
 * agent, and they come at most 25 times a second.
 */
export type Delivery = 'all' | 'latest';

/** Every topic there is (contract 2.1), but `overflow`, which readers get in place of what they have missed. */
export const DELIVERY: Readonly<Record<Topic, Delivery>> = {
  'session.created': 'all',
  'session.renamed': 'all',
  'session.killed': 'all',
  'session.paused': 'all',
  'session.resumed': 'all',
  'session.saved': 'all',
  'agent.created': 'all',
  'agent.renamed': 'all',
  'agent.killed': 'all',
  'agent.state': 'all',
  'agent.chat': 'latest',
  'agent.usage': 'latest',
  'agent.profile': 'all',
  'tools.changed': 'all',
  'proc.started': 'all',
  'proc.exited': 'all',
  'bypass.pending': 'all',
  'bypass.resolved': 'all',
  'toolsrv.connected': 'all',
  'toolsrv.lost': 'all',
  error: 'all',
};

/** A topic, all topics of a kind (`agent.*`), or all. */
export type TopicPattern = Topic | `${string}.*` | '*';

export function matches(pattern: TopicPattern, topic: Topic): boolean {
  if (pattern === '*' || pattern === topic) return true;
  return pattern.endsWith('.*') && topic.startsWith(pattern.slice(0, -1));
}
