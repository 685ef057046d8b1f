import { existsSync, readdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '#config';

test('what Node has compiled of the servers was kept when they were built', () => {
  const kept = join(packageRoot(), 'dist/bin/compiled');
  const files = existsSync(kept) ? readdirSync(kept, { recursive: true }) : [];
  expect(files.length > 4).toBe('enableCompileCache' in module); // Node 20 keeps nothing
});
