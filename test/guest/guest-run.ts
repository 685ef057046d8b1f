import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A mount of the guest: the host's port, and options for mount besides those that every mount has. */
export interface GuestMount {
  readonly name: string;
  readonly port: number;
  readonly options: string;
}

export type CheckedServer = 'olliesrv' | 'toolsrv';

/** What checks.sh said on one mount: `ok`, or why not, by the name of the check. */
export type Findings = ReadonlyMap<string, string>;

/** The names of the checks that checks.sh has for a server. */
export function checkNames(server: CheckedServer): readonly string[] {
  const script = readFileSync(join(__dirname, 'checks.sh'), 'utf8');
  const [, body = ''] = new RegExp(`^check_${server}\\(\\) \\{\\n(.*?)^\\}`, 'ms').exec(script) ?? [];
  return [...body.matchAll(/^ {2}check '(.+?)' /gm)].map(([, name = '']) => name);
}

/** Reads the lines that checks.sh prints; others are none of ours. */
export function parseFindings(text: string): Findings {
  const lines = text.split(/\r?\n/).map((line) => /^(?:ok (?<passed>.+)|not ok (?<failed>[^:]+): (?<why>.*))$/.exec(line)?.groups);
  return new Map(lines.flatMap((found) => (found ? [[found['passed'] ?? found['failed'] ?? '', found['why'] ?? 'ok']] : [])));
}

/** Boots a guest that checks each mount; gives the findings by mount and all that was said. Kills the guest on abort. */
export async function runGuest(
  mounts: readonly GuestMount[],
  signal: AbortSignal,
): Promise<{ readonly said: string; readonly findings: ReadonlyMap<string, Findings> }> {
  const list = mounts.map(({ name, port, options }) => `${name}:${port}:${options}`).join(' ');
  const guest = spawn('sh', [join(__dirname, 'run.sh'), `MOUNTS=${list}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => guest.kill('SIGTERM');
  signal.addEventListener('abort', end);
  let said = '';
  guest.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  guest.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await new Promise((resolve) => guest.once('close', resolve));
  signal.removeEventListener('abort', end);
  return { said, findings: new Map(mounts.map(({ name }) => [name, parseFindings(partOf(said, name))])) };
}

function partOf(said: string, name: string): string {
  return new RegExp(`^begin ${name}\\r?\\n(.*?)(^end ${name}\\r?$|(?![^]))`, 'ms').exec(said)?.[1] ?? '';
}
