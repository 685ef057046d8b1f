import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { IllegalInputError } from '#model';

const MAX_FILE_NAME = 255;

/** The first of the directories that holds the file wins. Undefined when none does, or none could. */
export function findFile(directories: readonly string[], name: string): string | undefined {
  if (name.length > MAX_FILE_NAME || name.includes('\0')) return undefined;
  return directories.map((directory) => resolve(directory, name)).find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

/** A prompt of a profile: text of its own when it has several lines, else the name of a file in the prompts path. */
export function promptFile(value: string, prompts: readonly string[], profile: string): string {
  if (value.includes('\n')) return value;
  const path = findFile(prompts, value);
  if (path === undefined) throw new IllegalInputError('value', `systemPrompt=${value} in ${profile}: no such file in ${prompts.join(':')}`);
  return readFileSync(path, 'utf8');
}

/** What a profile adds to the system prompt: the content of a file of that name in the prompts path, else the text itself. */
export function promptText(value: string, prompts: readonly string[], profile: string): string {
  if (value.startsWith('!')) throw new IllegalInputError('value', `prompt=${value} in ${profile}: commands are not run`);
  const path = value.trim() === '' || value.includes('\n') ? undefined : findFile(prompts, value);
  return path === undefined ? value : readFileSync(path, 'utf8');
}

/** A text that the installation itself brings. */
export function packagedText(packaged: string, name: string): string {
  return readFileSync(join(packaged, 'prompts', name), 'utf8');
}
