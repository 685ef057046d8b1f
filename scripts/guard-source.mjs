// node scripts/guard-source.mjs [FOLDER]: the rules of the house that the linter has no word for.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkFile, countCasts } from './source-rules.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDERS = ['apps', 'libs', 'test', 'scripts', 'docs/guides', 'native', 'examples', 'config'];
const SKIPPED = new Set(['node_modules', 'fixtures', 'build', 'prebuilt']);

/** A guard that walks past the sources finds nothing: fewer files than this is a failure. */
const FEWEST_FILES = 100;
const CASTS_PER_1000_LINES = 2;

/** Every complaint about the sources below `folder`, as `file:line: rule: what to do`. */
export function guard(folder) {
  const sources = FOLDERS.flatMap((name) => sourcesBelow(join(folder, name))).map((file) => readSource(folder, file));
  const complaints = sources.flatMap(({ path, text }) => checkFile(path, text));
  return { files: sources.length, complaints: [...complaints, ...tooManyCasts(sources)] };
}

function readSource(folder, file) {
  return { path: relative(folder, file), text: readFileSync(file, 'utf8') };
}

function sourcesBelow(folder) {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sourcesBelow(path);
    return /\.(ts|mjs|[ch])$/.test(entry.name) ? [path] : [];
  });
}

function tooManyCasts(sources) {
  const product = sources.filter(({ path }) => path.endsWith('.ts') && !/(\.spec|\.full)\.ts$|^test\//.test(path));
  const lines = product.reduce((sum, { text }) => sum + text.split('\n').length, 0);
  const casts = product.reduce((sum, { path, text }) => sum + countCasts(path, text), 0);
  const allowed = Math.ceil((lines * CASTS_PER_1000_LINES) / 1000);
  return casts > allowed
    ? [`sources: casts: ${casts} uses of \`as\` in ${lines} lines, ${allowed} are allowed; parse or narrow instead`]
    : [];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, complaints } = guard(resolve(process.argv[2] ?? root));
  if (files < FEWEST_FILES) complaints.unshift(`only ${files} files were seen: the guard is blind`);
  for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
  process.exitCode = complaints.length > 0 ? 1 : 0;
}
