export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable; an empty one counts as missing, as the XDG rules ask. */
export function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}
