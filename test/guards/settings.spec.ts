import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/run.js';

/** What is read by nothing yet, and why. */
const LATER: readonly string[] = ['OLLIE_MAX_SESSION_COST']; // a budget is shown and kept, not yet enforced

/** Names in the product's sources; a name that is put together ends in an underscore. */
function namesInSources(): readonly string[] {
  const files = execFileSync('git', ['ls-files', 'apps/*/src/*.ts', 'libs/*/src/*.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const product = files.filter((file) => !/\.spec\.ts$|^libs\/testkit\/|\/stream-cases\//.test(file));
  const names = product.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\bOLLIE_[A-Z]+(?:_[A-Z]+)*\b/g) ?? []);
  return [...new Set(names)].toSorted();
}

describe('every setting of the environment', () => {
  const pages = ['README.md', 'docs/settings.md', 'docs/sessions.md'].map((page) => readFileSync(join(root, page), 'utf8')).join('\n');

  it.each(namesInSources().filter((name) => !LATER.includes(name)))('%s is explained', (name) => {
    expect(pages).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
