// What config/models.json takes from the data of @earendil-works/pi-ai, and what is added to it.

/** As the file names them, with what OpenRouter puts before the id. `isExclusive`: nobody else has its models. */
const PROVIDERS = [
  { name: 'anthropic', file: 'anthropic', prefix: 'anthropic', isExclusive: true },
  { name: 'openai', file: 'openai', prefix: 'openai', isExclusive: true },
  { name: 'google', file: 'google', prefix: 'google', isExclusive: true },
  { name: 'xai', file: 'xai', prefix: 'x-ai', isExclusive: true },
  { name: 'deepseek', file: 'deepseek', prefix: 'deepseek' },
  { name: 'mistral', file: 'mistral', prefix: 'mistralai' },
  { name: 'groq', file: 'groq' },
  { name: 'moonshot', file: 'moonshotai', prefix: 'moonshotai' },
  { name: 'zai', file: 'zai', prefix: 'z-ai' },
  { name: 'cerebras', file: 'cerebras' },
  { name: 'together', file: 'together', otherHost: 'api.together.xyz' },
  { name: 'copilot', file: 'github-copilot', isFlat: true, otherHost: 'githubcopilot.com' },
];

/** Where windows stand that another file has cut at the border of a price. */
const ROUTER = { name: 'openrouter', file: 'openrouter' };

/** By what the whole of a request is multiplied, when the provider says that it was served so. */
const SERVICE_TIERS = { batch: 0.5, fast: 2, flex: 0.5, priority: 2 };
const OWN_SERVICE_TIERS = { openai: { 'gpt-5.5': { fast: 2.5, priority: 2.5 } } };

/** Those that are there when nothing is said of them, then those that are not. */
const USUAL_EFFORTS = ['off', 'minimal', 'low', 'medium', 'high'];
const MORE_EFFORTS = ['xhigh', 'max'];
const EFFORTS = ['none', ...USUAL_EFFORTS.slice(1), ...MORE_EFFORTS];

export const FILES = [...PROVIDERS, ROUTER].map(({ file }) => file);

/** `read(file)` gives the chat models of a file. Everything is in a fixed order: equal data in, equal object out. */
export function modelData(read) {
  const windows = new Map(read(ROUTER.file).map(({ id, contextWindow }) => [id, contextWindow]));
  const providers = PROVIDERS.map((provider) => [provider.name, providerData(provider, read(provider.file), windows)]);
  return {
    serviceTiers: SERVICE_TIERS,
    providers: {
      ...Object.fromEntries(providers),
      [ROUTER.name]: { hosts: [hostOf(read(ROUTER.file))], routes: true, models: {} },
      ollama: { local: true, models: {} },
    },
  };
}

function providerData(provider, models, windows) {
  const ids = new Set(models.map(({ id }) => id));
  const rows = models
    .toSorted((a, b) => Number(a.id > b.id) - Number(a.id < b.id))
    .map((model) => [model.id, row(model, provider, windows)]);
  for (const [id, data] of rows) {
    const aliases = aliasesOf(id).filter((alias) => !ids.has(alias));
    if (aliases.length > 0) data.aliases = aliases;
  }
  const hosts = [hostOf(models), ...(provider.otherHost ? [provider.otherHost] : [])];
  return {
    hosts,
    ...(provider.prefix && { prefix: provider.prefix }),
    ...(provider.isExclusive && { exclusive: true }),
    models: Object.fromEntries(rows),
  };
}

function hostOf(models) {
  const hosts = new Set(models.map(({ baseUrl }) => new URL(baseUrl).hostname));
  if (hosts.size !== 1) throw new Error(`expected one host, got ${[...hosts].join(' ') || 'none'}`);
  return [...hosts][0];
}

/** The version with dots, and the name that a preview will have. */
function aliasesOf(id) {
  const dotted = id.replace(/^(claude-[a-z]+-\d)-(\d)$/, '$1.$2');
  const released = id.replace(/-preview$/, '');
  return [dotted, released].filter((alias) => alias !== id);
}

function row(model, provider, windows) {
  const { id, cost, maxTokens, input, reasoning } = model;
  const efforts = reasoning ? effortsOf(model.thinkingLevelMap ?? {}) : [];
  const serviceTiers = OWN_SERVICE_TIERS[provider.name]?.[id];
  return {
    ...costOf(cost, provider),
    ...(serviceTiers && { serviceTiers }),
    contextLength: windowOf(model, windows.get(`${provider.prefix}/${id}`)),
    maxOutputTokens: maxTokens,
    tools: true, // the source lists no others
    images: input.includes('image'),
    ...(model.compat?.supportsTemperature === false && { temperature: false }),
    reasoning,
    ...(efforts.length > 0 && { efforts }),
  };
}

/** What a seller of tokens lists with nothing has no price of its own: it is part of a plan, or on trial. */
function costOf({ input, output, cacheRead, cacheWrite, tiers = [] }, { isFlat }) {
  if (isFlat || (input === 0 && output === 0)) return {};
  const above = tiers.map((tier) => ({
    inputTokensAbove: tier.inputTokensAbove,
    input: tier.input,
    output: tier.output,
    cacheRead: tier.cacheRead,
    cacheWrite: tier.cacheWrite,
  }));
  above.sort((a, b) => a.inputTokensAbove - b.inputTokensAbove);
  return { cost: { input, output, cacheRead, cacheWrite, ...(above.length > 0 && { tiers: above }) } };
}

/** A window that ends where the dear prices begin was cut there. */
function windowOf({ contextWindow, cost }, routed) {
  const isCut = (cost.tiers ?? []).some(({ inputTokensAbove }) => inputTokensAbove === contextWindow);
  return isCut ? Math.max(contextWindow, routed ?? 0) : contextWindow;
}

function effortsOf(levels) {
  const there = [...USUAL_EFFORTS.filter((level) => levels[level] !== null), ...MORE_EFFORTS.filter((level) => levels[level])];
  const wanted = there.map((level) => (level === 'off' ? 'none' : (knownEffort(levels[level]) ?? level)));
  return EFFORTS.filter((effort) => wanted.includes(effort));
}

function knownEffort(value) {
  return EFFORTS.find((effort) => effort === value?.toLowerCase());
}
