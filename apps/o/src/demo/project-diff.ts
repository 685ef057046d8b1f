import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineDiff } from './line-diff.js';

/** What changed between two copies of a flat project, file by file, in the form of diff -u. */
export function projectDiff(before: string, after: string): string {
  const names = new Set([...readdirSync(before), ...readdirSync(after)]);
  return [...names]
    .sort()
    .map((name) => fileDiff(name, contentOf(join(before, name)), contentOf(join(after, name))))
    .join('');
}

function fileDiff(name: string, before: string, after: string): string {
  return before === after ? '' : `--- a/${name}\n+++ b/${name}\n${lineDiff(before, after)}`;
}

function contentOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
