import type { ToolCall, ToolInfo } from '#model';

/** Reads that run side by side at most; each is a process of its own. */
const MAX_PARALLEL = 8;

/** The calls in their order, in groups that may overlap: neighbours whose tools are `parallel: read`; any other call is alone. */
export function callBatches(calls: readonly ToolCall[], tools: ReadonlyMap<string, ToolInfo>): readonly (readonly ToolCall[])[] {
  const batches: ToolCall[][] = [];
  let joinable: ToolCall[] | undefined;
  for (const call of calls) {
    const reads = tools.get(call.name)?.parallel === 'read';
    if (reads && joinable !== undefined && joinable.length < MAX_PARALLEL) {
      joinable.push(call);
      continue;
    }
    const batch = [call];
    batches.push(batch);
    joinable = reads ? batch : undefined;
  }
  return batches;
}
