import type { DirSpec, FileSpec } from './types.js';

interface Row {
  readonly path: string;
  readonly mode: string;
  readonly kind: string;
  readonly about: string;
  readonly usage: readonly string[];
}

/** Plain text for a terminal (`help`) and markdown (docs/namespace.md) from the same table. Rows stand in the order of the table. */
export function renderReference(spec: DirSpec<never>, form: 'text' | 'markdown'): string {
  const rows = rowsOf(spec, '');
  return form === 'text' ? asText(rows) : asMarkdown(rows);
}

function rowsOf(spec: DirSpec<never>, prefix: string): readonly Row[] {
  const fixed = Object.entries(spec.entries).flatMap(([name, entry]) => entryRows(entry, prefix + name));
  const { dynamic } = spec;
  return dynamic ? [...fixed, ...entryRows(dynamic.each, prefix + dynamic.children.label)] : fixed;
}

function entryRows(spec: DirSpec<never> | FileSpec<never>, path: string): readonly Row[] {
  const { kind, about } = spec;
  const mode = spec.mode.toString(8).padStart(4, '0');
  if (kind !== 'dir') return [{ path, mode, kind, about, usage: spec.usage ?? [] }];
  return [{ path: `${path}/`, mode, kind, about, usage: [] }, ...rowsOf(spec, `${path}/`)];
}

function asText(rows: readonly Row[]): string {
  const paths = widest(rows.map((row) => row.path));
  const kinds = widest(rows.map((row) => row.kind));
  const lines = rows.flatMap(({ path, mode, kind, about, usage }) => [
    `${path.padEnd(paths)}  ${mode}  ${kind.padEnd(kinds)}  ${about}`.trimEnd(),
    ...columns(usage).map((line) => `    ${line}`),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

function asMarkdown(rows: readonly Row[]): string {
  const table = rows.map(({ path, mode, kind, about }) => `| \`${path}\` | ${mode} | ${kind} | ${cell(about)} |\n`);
  const used = rows.filter(({ usage }) => usage.length > 0);
  const usages = used.map(({ path, usage }) => `\n### \`${path}\`\n\n\`\`\`text\n${columns(usage).join('\n')}\n\`\`\`\n`);
  return ['| Path | Mode | Kind | What it is |\n', '| --- | --- | --- | --- |\n', ...table, ...usages].join('');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

/** Lines with a tab become two aligned columns. */
function columns(lines: readonly string[]): readonly string[] {
  const width = widest(lines.filter((line) => line.includes('\t')).map((line) => line.split('\t')[0] ?? ''));
  return lines.map((line) => line.replace(/^([^\t]*)\t/, (_, first: string) => `${first.padEnd(width)}  `));
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}
