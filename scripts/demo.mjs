// npm run demo: `o demo` of this checkout.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const program = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist/bin/o.cjs');
process.argv = [process.execPath, program, 'demo', ...process.argv.slice(2)];
await import(pathToFileURL(program).href);
