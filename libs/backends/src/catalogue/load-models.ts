import { readFileSync } from 'node:fs';
import { ConfigError, errnoOf, messageOf } from '#config';
import { parseJson } from '#model';
import { ModelFile } from './model-file.js';

/** The list that comes with the program; its models are checked when they are asked for. */
export function packagedModels(path: string): ModelFile {
  return new ModelFile(parseJson(readFileSync(path, 'utf8')), path);
}

/** The user's own, which may be missing. Throws ConfigError for one that cannot be used. */
export function usersModels(path: string): ModelFile {
  try {
    return new ModelFile(parseJson(readFileSync(path, 'utf8')), path).check();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return new ModelFile({}, path);
    throw error instanceof ConfigError ? error : new ConfigError(`${path}: ${messageOf(error)}`);
  }
}
