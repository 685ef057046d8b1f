import { parseScript, startScriptedServer, type ScriptSource } from '#backends';
import type { LoopbackRequest } from '#testkit';

/** Any model says the same. */
export const anyModel: ScriptSource = { find: (model) => parseScript({ order: 'any', steps: [{ say: 'ok' }] }, model), models: () => [] };

const OF_THE_CONNECTION: readonly string[] = ['host', 'connection', 'content-length'];
const UNBASED = /^\/(chat\/completions|responses)$/;

/** Sends it once more, to the scripted server, which holds it against its provider's own rules; throws with what that says when it is refused. */
export async function takenByStrictFace({ path = '', headers, body }: LoopbackRequest): Promise<void> {
  const server = await startScriptedServer({ scripts: anyModel });
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name));
  try {
    const response = await fetch(new URL(path.replace(UNBASED, '/v1$&'), server.url), {
      method: 'POST',
      headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
      body: JSON.stringify(body),
    });
    const said = await response.text();
    if (!response.ok || !said.includes('[scripted] ok')) throw new Error(`refused: ${response.status} ${said}`);
  } finally {
    await server.close();
  }
}
