/** `~` and `~/x` to the home directory; anything else as it is. */
export function expandTilde(path: string, home: string): string {
  if (path === '~') return home;
  return path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
}
