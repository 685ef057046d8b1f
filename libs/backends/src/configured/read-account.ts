import { isName } from '#model';
import type { DialectName } from '../dialects.js';
import type { Place } from '../place.js';
import type { AccountEntry, KeySource } from './backend-entry.js';
import { demandOwnKeys } from './dialect-keys.js';
import { readHeaders } from './read-headers.js';

/** What an account has of its own; beside `accounts` they hold for all of them. */
export const accountKeys = ['key', 'keyCommand', 'tokenFile', 'profileArn', 'url', 'headers', 'concurrency'] as const;

type AccountFields = Readonly<Record<(typeof accountKeys)[number], Place>>;

export function readAccount(name: string, field: AccountFields): AccountEntry {
  return {
    name,
    key: readKey(field),
    tokenFile: field.tokenFile.maybe(filled),
    profileArn: field.profileArn.maybe(filled),
    url: field.url.maybe(readUrl),
    headers: field.headers.maybe(readHeaders) ?? {},
    concurrency: field.concurrency.maybe((place) => place.whole(1)),
  };
}

/** The accounts of a backend that has several; what they leave out is as the backend says. */
export function readAccounts(common: AccountFields & { readonly accounts: Place }, dialect: DialectName): readonly AccountEntry[] {
  const given = [common.key, common.keyCommand, common.tokenFile].find((place) => place.maybe(() => true));
  if (given) given.fail('every one of the accounts has its own');
  const shared = readAccount('', common);
  const accounts = common.accounts.list().map((place) => readNamed(place, shared, dialect));
  if (accounts.length === 0) common.accounts.fail('expected at least one');
  const twice = accounts.find(({ name }, i) => accounts.slice(0, i).some((other) => other.name === name));
  if (twice) common.accounts.fail(`${twice.name} is there twice`);
  return accounts;
}

function readNamed(place: Place, shared: AccountEntry, dialect: DialectName): AccountEntry {
  const field = place.fields('name', ...accountKeys);
  demandOwnKeys(field, dialect);
  const name = field.name.text();
  if (!isName(name)) field.name.fail(`not a name: ${JSON.stringify(name)}`);
  const own = readAccount(name, field);
  return {
    ...own,
    profileArn: own.profileArn ?? shared.profileArn,
    url: own.url ?? shared.url,
    headers: { ...shared.headers, ...own.headers },
    concurrency: own.concurrency ?? shared.concurrency,
  };
}

function readKey({ key, keyCommand }: AccountFields): KeySource | undefined {
  const text = key.maybe(readKeyText);
  const command = keyCommand.maybe(readCommand);
  if (text !== undefined && command !== undefined) keyCommand.fail('there is a key already');
  if (text !== undefined) return { text };
  return command && { command };
}

/** A key is never shown, so that it says no more than this. */
function readKeyText(place: Place): string {
  const text = place.text().trim();
  return /^[!-~]+$/.test(text) ? text : place.fail('expected a key: printable characters without white space');
}

function readCommand(place: Place): readonly string[] {
  const command = place.list().map((word) => word.text());
  if (command.some((word) => word.includes('\0'))) place.fail('holds a character that no argument can have');
  return command[0] ? command : place.fail('expected a program and its arguments');
}

export function readUrl(place: Place): string {
  const text = place.text();
  const url = URL.canParse(text) ? new URL(text) : place.fail('not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') place.fail('expected a URL of http or https');
  if (url.username !== '' || url.password !== '') place.fail('a URL holds no name and no password: write them as key or headers');
  if (url.search !== '' || url.hash !== '') place.fail('expected what stands before the path of a request, without ? and #');
  return text;
}

export function filled(place: Place): string {
  return place.text() === '' ? place.fail('expected text that is not empty') : place.text();
}
