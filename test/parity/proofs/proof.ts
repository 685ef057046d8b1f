/** Tests of one file, by their titles as they are written there. */
export interface Proof {
  readonly file: string;
  readonly titles: readonly string[];
}

/** What has to hold, and the tests that show it. */
export interface Claim {
  readonly holds: string;
  readonly proofs: readonly Proof[];
  /** What of it there is not yet, and therefore no test either. */
  readonly missing?: string;
}

export type Claims = Readonly<Record<string, Claim>>;

export type Titles = (...titles: readonly string[]) => Proof;

const of =
  (file: string): Titles =>
  (...titles) => ({ file, titles });
const parity = (name: string): Titles => of(`test/parity/${name}.spec.ts`);
const e2e = (name: string): Titles => of(`test/e2e/${name}.spec.ts`);
const mount = (name: string): Titles => of(`test/mount/${name}.spec.ts`);
const lib = (name: string): Titles => of(`libs/${name}.spec.ts`);

/** Short names for the files of tests. */
export const tests = {
  tables: parity('namespace'),
  root: parity('live-root'),
  tree: parity('live-tree'),
  answers: parity('olliesrv-answers'),
  modes: parity('owners-and-modes'),
  turns: parity('turns'),
  races: parity('prompt-races'),
  files: parity('agent-files'),
  cfg: parity('agent-cfg'),
  ctl: parity('agent-ctl'),
  server: parity('server-control'),
  session: parity('session-control'),
  events: parity('events'),
  approvals: parity('approvals'),
  renames: parity('renames'),
  roles: parity('roles'),
  broken: parity('broken-hands'),
  shell: e2e('seed-session'),
  daemon: e2e('daemon'),
  kept: e2e('kept-sessions'),
  keptProcesses: e2e('kept-processes'),
  fullDisk: e2e('full-disk'),
  tcp: e2e('tcp'),
  noBackend: e2e('no-backend'),
  background: e2e('background'),
  manyAgents: e2e('many-agents'),
  asFiles: e2e('agent-files'),
  liveOutput: e2e('live-output'),
  examples: e2e('examples'),
  waitLoops: e2e('wait-loops'),
  stop: e2e('stop-turn'),
  door: e2e('agent-door'),
  directories: e2e('session-directory'),
  secrets: e2e('secrets'),
  asked: e2e('approvals'),
  clients: e2e('events'),
  dbus: e2e('dbus'),
  topics: e2e('topics'),
  kernel: mount('kernel'),
  recipes: mount('recipes'),
  mounted: mount('lifecycle'),
  mountedEvents: mount('events'),
  guest: of('test/guest/checks.sh'),
  stock: of('test/transcripts/stock-clients.spec.ts'),
  locks: of('test/toolsrv/session-locks.spec.ts'),
  program: of('test/cli/ollie-9p.spec.ts'),
  help: of('test/cli/help.spec.ts'),
  module: of('apps/olliesrv/src/olliesrv.module.spec.ts'),
  doors: of('apps/olliesrv/src/namespace-doors.spec.ts'),
  command: lib('ninep-cli/src/run-command'),
  address: lib('ninep-cli/src/default-address'),
  directory: lib('ninep/src/namespace-dir'),
  tag: lib('ninep/src/client-tag'),
  strategy: lib('transport-ninep/src/ninep.strategy'),
  tcpDoors: lib('transport-ninep/src/doors'),
  cell: lib('virtfs/src/value-cell'),
  latest: lib('virtfs/src/latest'),
  seen: lib('session/src/events/seen-positions'),
  ring: lib('session/src/events/session-events'),
  broker: lib('session/src/approvals/approval-broker'),
  registry: lib('session/src/session-registry'),
  ids: lib('model/src/ids'),
  fields: lib('model/src/field'),
  visible: lib('config/src/visible'),
  agent: lib('agent/src/agent'),
  texts: lib('agent/src/agent-texts'),
  configuration: lib('agent/src/agent-configuration'),
  turnRaces: lib('agent/src/turn-races'),
  calls: lib('agent/src/run-calls'),
  pairing: lib('agent/src/pairing'),
  markup: lib('agent/src/markup'),
  transcript: lib('agent/src/transcript'),
  completion: lib('agent/src/completion-text'),
  backgroundCalls: lib('agent/src/background-calls'),
  keptAgent: lib('agent/src/kept/kept-agent'),
  journal: lib('store/src/journal'),
  snapshots: lib('store/src/snapshot-steps'),
  lock: lib('store/src/store-lock'),
  sweep: lib('store/src/sweep'),
  hands: lib('toolclient/src/spawned-tool-host'),
} as const;
