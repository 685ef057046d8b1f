const MAX_REFUSAL_BYTES = 64 * 1024;

/** fetch, but the body of a refusal ends after 64 KiB: the SDK reads that whole, however long it is. */
export async function boundedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  if (response.ok || response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(firstBytes(MAX_REFUSAL_BYTES)), { status, statusText, headers });
}

function firstBytes(most: number): TransformStream<Uint8Array, Uint8Array> {
  let left = most;
  return new TransformStream({
    transform(piece, controller) {
      controller.enqueue(piece.subarray(0, left));
      left -= piece.length;
      if (left <= 0) controller.terminate();
    },
  });
}
