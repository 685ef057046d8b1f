const TAKES_COMMAND = new Set(['run', 'explain']);
const VALUED = new Set(['--cwd', '--policy', '--name']);

/**
 * The words of a `toolsrv` command line with `--` before the command that `sandbox run` and `sandbox explain` take, so that
 * its options are its own. The parser would look for ours among them.
 */
export function commandApart(words: readonly string[]): readonly string[] {
  const [group, command = ''] = words;
  if (group !== 'sandbox' || !TAKES_COMMAND.has(command)) return words;
  let at = 2;
  while (words[at]?.startsWith('-') === true && words[at] !== '--') at += VALUED.has(words[at] ?? '') ? 2 : 1;
  return at >= words.length || words[at] === '--' ? words : [...words.slice(0, at), '--', ...words.slice(at)];
}
