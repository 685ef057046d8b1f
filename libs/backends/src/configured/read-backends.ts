import { isName } from '#model';
import type { TokenExchange } from '../connection.js';
import { defaultDialect, dialectNames } from '../dialects.js';
import { readQuirks } from '../openai/read-quirks.js';
import { Place } from '../place.js';
import type { BackendEntry } from './backend-entry.js';
import { demandOwnKeys } from './dialect-keys.js';
import { accountKeys, filled, readAccount, readAccounts, readUrl } from './read-account.js';
import { readHeaders } from './read-headers.js';
import { readPatience } from './read-patience.js';

const RESERVED = 'scripted';
/** What belongs to a connection, so that it cannot stand beside one of the environment. */
const connectionKeys = [
  'dialect',
  'idleTimeout',
  'progressTimeout',
  'headers',
  'quirks',
  'numCtx',
  'exchange',
  'origin',
  'profileArn',
] as const;

/**
 * Checks what was read from config.json (docs/backends.md has its shape); undefined for no file. `origin` is what errors call
 * it; `hasSettings` tells for which names the environment says where to go and as whom. Throws ConfigError naming file, place
 * and reason, and never a key.
 */
export function readBackends(value: unknown, origin: string, hasSettings: (name: string) => boolean): readonly BackendEntry[] {
  const { backends } = new Place(value ?? {}, origin).fields('backends');
  const entries = (backends.maybe((place) => place.list()) ?? []).map((place) => readBackend(place, hasSettings));
  const twice = entries.find(({ name }, i) => entries.slice(0, i).some((other) => other.name === name));
  if (twice) backends.fail(`${twice.name} is there twice`);
  return entries;
}

function readBackend(place: Place, hasSettings: (name: string) => boolean): BackendEntry {
  const field = place.fields(
    'name',
    'dialect',
    'defaultModel',
    'idleTimeout',
    'progressTimeout',
    'quirks',
    'numCtx',
    'exchange',
    'origin',
    'accounts',
    ...accountKeys,
  );
  const name = readName(field.name);
  const isElsewhere = hasSettings(name) && isSilent(field);
  if (isElsewhere) demandNothingElse(field, name);
  const dialect = field.dialect.maybe((place) => place.oneOf(...dialectNames)) ?? defaultDialect(name) ?? missingDialect(field.dialect);
  demandOwnKeys(field, dialect);
  return {
    name,
    dialect,
    defaultModel: field.defaultModel.maybe(filled),
    patience: readPatience(field),
    quirks: field.quirks.maybe(readQuirks),
    numCtx: field.numCtx.maybe((place) => place.whole(1)),
    exchange: field.exchange.maybe(readExchange),
    origin: field.origin.maybe(filled),
    concurrency: field.concurrency.maybe((place) => place.whole(1)),
    accounts: isElsewhere ? undefined : (field.accounts.maybe(() => readAccounts(field, dialect)) ?? [readAccount('default', field)]),
  };
}

function readExchange(place: Place): TokenExchange {
  const { url, headers } = place.fields('url', 'headers');
  return { url: readUrl(url), headers: headers.maybe(readHeaders) };
}

type Fields<K extends string> = Readonly<Record<K, Place>>;

/** True when it says neither where to go nor as whom. */
function isSilent({ url, key, keyCommand, tokenFile, accounts }: Fields<'url' | 'key' | 'keyCommand' | 'tokenFile' | 'accounts'>): boolean {
  return [url, key, keyCommand, tokenFile, accounts].every((place) => place.maybe(() => true) === undefined);
}

function demandNothingElse(field: Fields<(typeof connectionKeys)[number]>, name: string): void {
  const present = connectionKeys.map((key) => field[key]).find((place) => place.maybe(() => true));
  if (present) present.fail(`expected url, key or keyCommand as well: ${name} is set by the environment, and that stands by itself`);
}

function readName(place: Place): string {
  const name = place.text();
  if (!isName(name)) place.fail(`not a name: ${JSON.stringify(name)}`);
  return name === RESERVED ? place.fail(`${RESERVED} is always there and cannot be another`) : name;
}

function missingDialect(place: Place): never {
  place.fail(`expected one of ${dialectNames.join(', ')}`);
}
