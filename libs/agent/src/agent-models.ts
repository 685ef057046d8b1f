import { BackendError, PartnerError, type Backend, type ModelInfo } from '#model';

/** The models of a backend, sorted by id. Rejects with PartnerError when it does not tell. */
export async function listModels(backend: Backend, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  try {
    const models = await backend.models(signal);
    return models.toSorted((a, b) => Number(a.id > b.id) - Number(a.id < b.id));
  } catch (error) {
    if (!(error instanceof BackendError) || signal.aborted) throw error;
    throw PartnerError.ofBackend(backend.name, error);
  }
}

/** As `listModels`; none when it does not tell. */
export async function toldModels(backend: Backend, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  try {
    return await listModels(backend, signal);
  } catch (error) {
    if (error instanceof PartnerError) return [];
    throw error;
  }
}
