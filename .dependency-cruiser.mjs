/** Which libs a lib may import, through their index only. */
const allowed = {
  model: [],
  ninep: [],
  virtfs: [],
  fuse: ['ninep'],
  'ninep-cli': ['ninep', 'config'],
  config: [],
  lifecycle: ['config'],
  'transport-ninep': ['ninep', 'virtfs'],
  backends: ['model', 'config'],
  tools: ['model', 'config'],
  registry: ['model', 'tools'],
  sandbox: ['config'],
  guard: ['config'],
  approvals: ['model', 'virtfs', 'config'],
  exec: ['model', 'tools', 'registry', 'sandbox', 'virtfs', 'guard', 'approvals', 'config'],
  toolclient: ['model', 'ninep', 'config'],
  store: ['config'],
  agent: ['model', 'virtfs', 'store', 'config'],
  session: ['model', 'agent', 'approvals', 'virtfs', 'store', 'config'],
};

const libArrows = Object.entries(allowed).map(([lib, to]) => ({
  name: `arrows-${lib}`,
  severity: 'error',
  from: { path: `^libs/${lib}/`, pathNot: '\\.spec\\.ts$' },
  to: { path: '^libs/', pathNot: `^libs/(${[lib, ...to].join('|')})/` },
}));

export default {
  forbidden: [
    ...libArrows,
    { name: 'resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'libs-never-import-apps', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'apps-never-import-each-other',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'only-through-index',
      severity: 'error',
      from: { path: '^(apps|libs/([^/]+))/' },
      to: { path: '^libs/([^/]+)/src/(?!index)', pathNot: '^libs/$2/' },
    },
    {
      name: 'every-lib-has-arrows',
      severity: 'error',
      from: { path: '^libs/', pathNot: `^libs/(${[...Object.keys(allowed), 'testkit'].join('|')})/` },
      to: {},
    },
    {
      name: 'plain-core-knows-no-nest',
      severity: 'error',
      from: { path: '^libs/(model|ninep|ninep-cli|virtfs|fuse|store|backends)/', pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/(@nestjs|rxjs)/' },
    },
    {
      name: 'small-commands-load-no-nest',
      severity: 'error',
      from: { path: '^apps/(o|ollie-9p)/', pathNot: '\\.spec\\.ts$' },
      to: { reachable: true, path: 'node_modules/(@nestjs|rxjs)/' },
    },
    {
      name: 'toolsrv-knows-no-llm-nor-bus',
      severity: 'error',
      from: { path: '^apps/toolsrv/', pathNot: '\\.spec\\.ts$' },
      to: { reachable: true, path: '(^libs/(agent|session|backends)/|node_modules/(openai|@anthropic-ai|dbus-next)/)' },
    },
    {
      name: 'bus-library-is-loaded-when-there-is-a-bus',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/dbus-next/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'testkit-only-in-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '(\\.spec\\.ts$|^libs/testkit/)' },
      to: { path: '^libs/testkit/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^test/fixtures' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['ollie-source', 'import', 'require', 'node', 'default', 'types'] },
  },
};
