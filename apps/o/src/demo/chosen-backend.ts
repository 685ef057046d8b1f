import { BACKEND_NAMES, NotFoundError } from '#model';
import { CommandError } from '#ninep-cli';

/** What OLLIE_BACKEND names, else `scripted`. Throws CommandError, with all that there are, for what is none. */
export function chosenBackend(env: Readonly<Record<string, string | undefined>>): string {
  const name = env.OLLIE_BACKEND?.trim() || 'scripted';
  if (BACKEND_NAMES.some((known) => known === name)) return name;
  throw new CommandError(`${new NotFoundError('backend', name).message}; OLLIE_BACKEND may be ${oneOf(BACKEND_NAMES)}`);
}

/** `a, b or c` */
function oneOf(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ');
}
