import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expandTilde, type Environment } from '#config';
import { settingOf } from '../backend-definition.js';
import { databaseIn } from './login-database.js';

/** Where a login lies: a path that may begin with `~`, also behind `sqlite://`. A database that is not named is that of kiro-cli. */
export function loginPlace(setting: string, env: Environment): string {
  const home = settingOf(env, 'HOME') ?? userInfo().homedir;
  const database = databaseIn(setting);
  if (database === undefined) return expandTilde(setting, home);
  const data = settingOf(env, 'XDG_DATA_HOME') ?? join(home, '.local/share');
  return `sqlite://${database === '' ? join(data, 'kiro-cli/data.sqlite3') : expandTilde(database, home)}`;
}
