// node scripts/guard-readmes.mjs [FOLDER]: every lib says what it is.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
const libs = readdirSync(join(root, 'libs'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const missing = libs.filter(({ name }) => !existsSync(join(root, 'libs', name, 'README.md')));
for (const { name } of missing)
  process.stdout.write(`libs/${name}: readme: write README.md: what it owns, its surface, guarantees and limits\n`);
process.exitCode = missing.length > 0 ? 1 : 0;
