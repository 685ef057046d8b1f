/** What a child process has at a descriptor. One that could not be started for want of descriptors has no list of streams at all. */
export function streamAt(streams: readonly unknown[] | undefined, descriptor: number): unknown {
  return streams?.[descriptor];
}
