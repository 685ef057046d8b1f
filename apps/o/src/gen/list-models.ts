import type { Backend, JsonObject, ModelCapabilities, ModelInfo } from '#model';
import type { Output } from '#ninep-cli';

/** Writes a line for each model: its name and, where that is known, how many tokens fit in. */
export async function listModels(backend: Backend, stdout: Output, signal: AbortSignal): Promise<void> {
  const models = await backend.models(signal);
  await stdout.write(models.map(({ id, contextLength }) => `${[id, contextLength].filter(Boolean).join('\t')}\n`).join(''));
}

/** The same as lines of JSON, and a last one in the words of the shared wire cases; it has what `model`, else the first of them, can do. */
export async function listModelsAsJson(backend: Backend, model: string | undefined, stdout: Output, signal: AbortSignal): Promise<void> {
  const models = await backend.models(signal);
  const one = models.find(({ id }) => id === model) ?? models[0];
  const lines = [...models, resultOf(models, one?.capabilities ?? {})];
  await stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function resultOf(models: readonly ModelInfo[], { tools, reasoning, images }: ModelCapabilities): JsonObject {
  const known = Object.entries({ tools, thinking: reasoning, vision: images }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return {
    models: models.map(({ id }) => id),
    context_lengths: Object.fromEntries(models.map(({ id, contextLength = 0 }) => [id, contextLength])),
    capabilities: Object.fromEntries(known),
  };
}
