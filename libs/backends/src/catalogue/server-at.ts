import type { ProviderEntry } from './model-file.js';

/** Who answers at an address. */
export interface Server {
  /** Undefined for one that no list names. */
  readonly provider: string | undefined;
  /** On this machine. */
  readonly isLocal: boolean;
}

export interface Address {
  readonly baseUrl: string | undefined;
  /** Who answers without a `baseUrl`. */
  readonly provider: string | undefined;
}

export function serverAt({ baseUrl, provider }: Address, providers: ReadonlyMap<string, ProviderEntry>): Server {
  if (baseUrl === undefined) return { provider, isLocal: providers.get(provider ?? '')?.local ?? false };
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const found = [...providers].find(([, { hosts }]) => hosts.some((one) => host === one || host.endsWith(`.${one}`)));
  return { provider: found?.[0], isLocal: /^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(host) };
}
