import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#config';

const guides = join(packageRoot(), 'docs', 'guides');
const blocks = (markdown: string): string[] => [...markdown.matchAll(/^```(?:ts|yaml|sh)\n(.*?)^```$/gms)].map((match) => match[1] ?? '');

describe('guides', () => {
  it.each(readdirSync(guides).filter((name) => name.endsWith('.md')))('%s shows only code that its example compiles and runs', (name) => {
    const example = readFileSync(join(guides, name.replace(/\.md$/, '.spec.ts')), 'utf8');
    const shown = blocks(readFileSync(join(guides, name), 'utf8'));
    expect(shown.length).toBeGreaterThan(0);
    for (const block of shown) expect(example).toContain(block.trimEnd());
  });
});
