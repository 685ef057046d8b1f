/** A line of `events` or `eventwait`. */
export interface EventLine {
  readonly id: number;
  readonly ts: number;
  readonly topic: string;
  readonly session?: string;
  readonly agent?: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly epoch: number;
}

export function linesOf(text: string): readonly EventLine[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EventLine);
}
