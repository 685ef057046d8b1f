const MAX_CLIENTS = 1024;

/** Keeps something for one of the clients; of more than 1,024 the one unused for longest goes. */
export function remember<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > MAX_CLIENTS && oldest !== undefined) kept.delete(oldest);
}
