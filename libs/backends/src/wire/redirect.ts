const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** All others may name who asks. */
const FOR_EVERY_SERVER: readonly string[] = ['accept', 'content-type', 'user-agent'];

/** Where a redirect leads to; undefined for an answer that is none. */
export function redirectTarget(from: URL, status: number, location: string | undefined): URL | undefined {
  return REDIRECTS.includes(status) && location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/** The request for the target of a redirect: as every client sends it, with a key to no other server. */
export function redirected(init: RequestInit, status: number, { from, to }: { readonly from: URL; readonly to: URL }): RequestInit {
  const headers = [...new Headers(init.headers)].filter(([name]) => from.origin === to.origin || FOR_EVERY_SERVER.includes(name));
  const isAskedFor = status === 303 || (status < 303 && init.method === 'POST');
  if (!isAskedFor) return { ...init, headers };
  return { ...init, method: 'GET', body: null, headers: headers.filter(([name]) => name !== 'content-type') };
}
