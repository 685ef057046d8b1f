import type { Dialect } from './dialect.js';

/** One dialect out of several, chosen by the model of each request; their answers have the same framing. `models` asks for the list. */
export function perModelDialect(choose: (model: string) => Dialect, { framing, models }: Pick<Dialect, 'framing' | 'models'>): Dialect {
  return {
    path: (request) => choose(request.model).path(request),
    body: (request, facts) => choose(request.model).body(request, facts),
    headers: (request) => choose(request.model).headers?.(request) ?? {},
    ...(framing && { framing }),
    decoder: (request, facts) => choose(request.model).decoder(request, facts),
    models,
  };
}
