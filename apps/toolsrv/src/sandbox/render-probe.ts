import type { ProbeReport } from '#sandbox';

/** Since which Landlock ABI a kind of access is fenced. */
const LANDLOCK = [
  [1, 'files: read, write, execute, create, remove'],
  [2, 'moving and linking files between directories'],
  [3, 'truncating files'],
  [4, 'TCP connections and listening'],
  [5, 'controls of devices'],
  [6, 'signals and abstract sockets to processes outside'],
  [9, 'Unix sockets by path'],
  [10, 'UDP'],
] as const;

/** One sentence a line. */
export function probeText({ landlock, seccomp, userns, cells, kernel, machine }: ProbeReport): string {
  const lines = [
    `kernel ${kernel} on ${machine}`,
    landlock === 0 ? 'Landlock: missing, so no tool runs (except under --yolo)' : `Landlock: ABI ${landlock}`,
    ...LANDLOCK.map(
      ([abi, what]) => `  ${landlock >= abi ? 'enforced' : 'missing '}  ${what}${landlock >= abi ? '' : ` (from ABI ${abi})`}`,
    ),
    `seccomp: ${seccomp ? 'enforced: with it no network, no sockets of other programs, no foreign system calls' : 'missing'}`,
    `user namespaces: ${userns ? 'available' : 'not available to this user'}`,
    `cells: ${cells ? 'available: tools see nothing but what the policy grants' : 'not available, so no more than sandbox=partial'}`,
    `Unix sockets: ${cells && landlock >= 9 ? 'tools have their own' : 'refused, unless network.unix lists one; that opens all that tools can see'}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}
