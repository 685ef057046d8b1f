import type { DirSpec, FileSpec } from '#virtfs';

type Spec = DirSpec<never> | FileSpec<never>;

/** Every row of a table with its path, `{name}` for children. */
export function* specsOf(spec: DirSpec<never>, prefix = ''): Generator<readonly [path: string, spec: Spec]> {
  const fixed: (readonly [string, Spec])[] = Object.entries(spec.entries);
  const dynamic: (readonly [string, Spec])[] = spec.dynamic ? [[spec.dynamic.children.label, spec.dynamic.each]] : [];
  for (const [name, entry] of [...fixed, ...dynamic]) {
    yield [prefix + name, entry];
    if (entry.kind === 'dir') yield* specsOf(entry, `${prefix}${name}/`);
  }
}

/** The commands of a control, sorted; none of any other file. */
export function wordsOf(spec: Spec | undefined): readonly string[] {
  const usage = spec?.kind === 'control' && 'usage' in spec ? (spec.usage ?? []) : [];
  return usage.map((line) => line.split(/\s/)[0] ?? '').sort();
}
