import { visible } from '#config';
import type { Verdict } from '#guard';

export interface VerdictFields {
  readonly verdict: string;
  readonly rule: string | null;
  /** Start and end of the part that the rule is about, in UTF-16 units. */
  readonly span: readonly [number, number] | null;
  readonly why: string | null;
}

export function verdictFields({ verdict, rule, span, why }: Verdict): VerdictFields {
  return { verdict, rule, span: span === null ? null : [span.start, span.end], why };
}

/** The verdict for a person: verdict and rule, the command with the part marked by `>>>` and `<<<`, why, and the place of a permission rule. */
export function describeVerdict(command: string, { verdict, rule, id, span, why, origin }: Verdict): string {
  if (rule === null) return verdict;
  const named = id === null || id === rule ? rule : `${rule} (${id})`;
  const from = origin === null ? [] : [`  ${origin}`];
  return [`${verdict}: ${named}`, ...(span === null ? [] : [`  ${marked(command, span)}`]), `  ${why ?? ''}`, ...from].join('\n');
}

function marked(command: string, { start, end }: NonNullable<Verdict['span']>): string {
  return `${visible(command.slice(0, start))}>>>${visible(command.slice(start, end))}<<<${visible(command.slice(end))}`;
}
