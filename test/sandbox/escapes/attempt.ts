import type { HelperReport } from '#sandbox';
import type { Scene } from './scene.js';

/** What one way said: `text` is what it found, or why it was stopped. */
export interface Answer {
  readonly reached: boolean;
  readonly text: string;
}

/** Everything that is known when the tool has ended and its neighbour has been asked. */
export interface Seen {
  readonly answer: Answer;
  readonly scene: Scene;
  readonly reports: readonly HelperReport[];
  /** Characters that somebody typed into the terminal of a `staged` attempt. */
  readonly typed: number;
  /** Of the neighbour, before it ended. */
  readonly oomScore: string;
}

/** By their numbers. */
export const capability = {
  DAC_OVERRIDE: 1,
  DAC_READ_SEARCH: 2,
  NET_ADMIN: 12,
  NET_RAW: 13,
  SYS_MODULE: 16,
  SYS_RAWIO: 17,
  SYS_CHROOT: 18,
  SYS_PTRACE: 19,
  SYS_PACCT: 20,
  SYS_ADMIN: 21,
  SYS_BOOT: 22,
  SYS_NICE: 23,
  SYS_RESOURCE: 24,
  SYS_TIME: 25,
  MKNOD: 27,
  SYSLOG: 34,
  BPF: 39,
} as const;

/**
 * How attempts are run. `open`: the network is on. `offline`: it is off. `staged`: on a terminal and with descriptors
 * that are not the tool's. `twice`: `before` runs first, in a process of its own. `checkout`: in Ollie's own directory.
 */
export type Setting = 'open' | 'offline' | 'staged' | 'twice' | 'checkout';

export interface Attempt {
  readonly name: string;
  /** A way of the program `reach`, and its words, which are made when the scene stands. */
  readonly way: string;
  readonly words: (scene: Scene) => readonly string[];
  /** Whether it got out. It must be able to say yes: without a sandbox every attempt has to succeed. */
  readonly escaped: (seen: Seen) => boolean;
  readonly setting?: Setting;
  readonly before?: (scene: Scene) => readonly string[];
  /** Why it gets out where there are no private namespaces, which docs/sandbox.md says as well. In a cell it must not. */
  readonly known?: string;
  /** The kernel refuses it to those who have fewer capabilities than the other process: to the tools of root. */
  readonly isOfEqualsOnly?: true;
  /** A capability without which it fails outside as well, so that only root can show that it is no idle attempt. */
  readonly needs?: number;
  /** What the kernel says where it has no such door at all. */
  readonly absent?: RegExp;
  /** For whom it makes sense; everybody, if it is not said. */
  readonly by?: (uid: number) => boolean;
}

export interface AreaAttempt extends Attempt {
  readonly area: string;
}

export function area(name: string, attempts: readonly Attempt[]): readonly AreaAttempt[] {
  return attempts.map((attempt) => ({ ...attempt, area: name }));
}

export const none = (): readonly string[] => [];
