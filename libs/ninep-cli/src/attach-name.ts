/** A user's attach name and our tag, joined as the contract has it. A name that carries a tag already keeps it. */
export function attachName(given: string, tag: string | undefined): string {
  const parts = given.split('&').filter((part) => part !== '');
  if (tag === undefined || parts.some((part) => part.startsWith('client='))) return given;
  return [...parts, `client=${tag}`].join('&');
}
