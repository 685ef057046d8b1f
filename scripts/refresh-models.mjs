// node scripts/refresh-models.mjs [--from DIR] [--version V] [--out FILE]: writes config/models.json.
// DIR is the package unpacked; without it the package is fetched with npm. Equal data gives an equal file.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { modelData } from './model-data.mjs';
import { reportStops, Stop } from './stop.mjs';

const PACKAGE = '@earendil-works/pi-ai';
const DATA = 'dist/providers/data';
const root = dirname(dirname(fileURLToPath(import.meta.url)));

function run(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Stop(`${command} ${args[0]} failed: ${error?.message ?? stderr.trim()}`);
  return stdout;
}

/** Calls `use` with the directory of the package, which is gone afterwards. */
function withPackage(version, use) {
  const directory = mkdtempSync(join(tmpdir(), 'ollie-models-'));
  try {
    run('npm', 'pack', `${PACKAGE}@${version}`, '--loglevel=error', '--pack-destination', directory);
    const [archive] = readdirSync(directory);
    run('tar', '-xzf', join(directory, archive), '-C', directory);
    return use(join(directory, 'package'));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The package names the hash of each of its files. */
function reader(directory, { files }) {
  return (file) => {
    const bytes = readFileSync(join(directory, DATA, `${file}.json`));
    if (sha256(bytes) !== files[`${file}.json`]) throw new Stop(`${file}.json is not what the package's manifest says`);
    return Object.values(JSON.parse(bytes.toString()))
      .flatMap((models) => Object.values(models))
      .filter(({ type }) => type === 'chat');
  };
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

function snapshot(directory) {
  if (!existsSync(join(directory, DATA))) throw new Stop(`${directory} is no unpacked ${PACKAGE}: it has no ${DATA}`);
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const manifest = readFileSync(join(directory, DATA, '.manifest.json'));
  const parsed = JSON.parse(manifest.toString());
  return {
    source: `figures from ${DATA} of the npm package ${name} ${version} (${license}); sha256 of its .manifest.json`,
    sha256: sha256(manifest),
    date: parsed.generatedAt.slice(0, 10),
    unit: 'USD per million tokens',
    ...modelData(reader(directory, parsed)),
  };
}

/** JSON with a line for each model. */
function text({ providers, ...head }) {
  const parts = Object.entries(providers).map(([name, { models, ...facts }]) => {
    const rows = Object.entries(models).map(([id, model]) => `        ${JSON.stringify(id)}: ${JSON.stringify(model)}`);
    const list = rows.length === 0 ? '{}' : `{\n${rows.join(',\n')}\n      }`;
    return `    ${JSON.stringify(name)}: {\n${lines(facts, '      ')}      "models": ${list}\n    }`;
  });
  return `{\n${lines(head, '  ')}  "providers": {\n${parts.join(',\n')}\n  }\n}\n`;
}

function lines(object, indent) {
  return Object.entries(object)
    .map(([key, value]) => `${indent}${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
    .join('');
}

const OPTIONS = {
  from: { type: 'string' },
  version: { type: 'string', default: 'latest' },
  out: { type: 'string', default: join(root, 'config/models.json') },
};

function commandLine() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    throw error instanceof TypeError ? new Stop(`${error.message}; it takes --from DIR, --version V and --out FILE`) : error;
  }
}

function refresh() {
  const values = commandLine();
  const taken = values.from === undefined ? withPackage(values.version, snapshot) : snapshot(values.from);
  writeFileSync(values.out, text(taken));
  const counts = Object.values(taken.providers).map(({ models }) => Object.keys(models).length);
  process.stdout.write(`${counts.reduce((a, b) => a + b, 0)} models of ${counts.length} providers, as of ${taken.date}\n`);
}

await reportStops('refresh-models', refresh);
