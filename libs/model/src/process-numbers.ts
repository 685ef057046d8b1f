/** The numbers that processes of a session are given: rising, and none twice, also after a restart. */
export interface ProcessNumbers {
  /** No process that there ever was has a number above this. */
  readonly last: number;
  /** From now on it is this, for a later process of this program too. Throws PartnerError. */
  keep(last: number): void;
}

/** For hands whose processes nobody remembers. */
export const noNumbers: ProcessNumbers = { last: 0, keep: () => undefined };
