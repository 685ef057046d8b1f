import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { elfNeeds } from './elf.js';
import { loaderCache } from './loader-cache.js';
import { sharedLibraries } from './shared-libraries.js';

/** The files that the loader itself names. */
function byLdd(program: string): readonly string[] {
  const text = execFileSync('ldd', [program], { encoding: 'utf8' });
  const paths = [...text.matchAll(/(?:=> |\t)(\/\S+)/g)].map(([, path = '']) => realpathSync(path));
  return [...new Set(paths)].toSorted();
}

const found = (program: string): readonly string[] =>
  [...new Set(sharedLibraries(program).files.map((path) => realpathSync(path)))].toSorted();

describe('the shared libraries of a program', () => {
  const programs = ['/bin/sh', '/bin/ls', '/usr/bin/git', '/usr/bin/curl', process.execPath].filter((program) => existsSync(program));
  it.each(programs)('%s: the same that ldd says', (program) => {
    expect(found(program)).toEqual(byLdd(program));
    expect(sharedLibraries(program).missing).toEqual([]);
  });

  describe('that is made here', () => {
    let root: string;
    beforeAll(() => {
      root = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-elf-')));
      mkdirSync(join(root, 'parts'));
      writeFileSync(join(root, 'part.c'), 'int part(void) { return 3; }\n');
      writeFileSync(join(root, 'main.c'), 'int part(void);\nint main(void) { return part(); }\n');
      cc(['-shared', '-fPIC', '-o', 'parts/libpart.so', 'part.c']);
      cc(['-o', 'main', 'main.c', '-Lparts', '-lpart', '-Wl,-rpath,$ORIGIN/parts']);
      cc(['-o', 'lost', 'main.c', '-Lparts', '-lpart']);
      cc(['-static', '-o', 'static', 'part.c', 'main.c']);
    });
    afterAll(() => rmSync(root, { recursive: true }));
    const cc = (args: readonly string[]): void => {
      const { status, stderr } = spawnSync('cc', args, { cwd: root, encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
    };

    it('are found beside it by $ORIGIN', () => {
      expect(sharedLibraries(join(root, 'main')).files).toContain(join(root, 'parts/libpart.so'));
      expect(found(join(root, 'main'))).toEqual(byLdd(join(root, 'main')));
    });

    it('are named when they are missing', () => {
      expect(sharedLibraries(join(root, 'lost')).missing).toEqual(['libpart.so']);
    });

    it('are none for a static program, a script and what is not there', () => {
      for (const name of ['static', 'main.c', 'none']) expect(sharedLibraries(join(root, name))).toEqual({ files: [], missing: [] });
    });

    it('an ELF file that is damaged anywhere is no reason to fail', () => {
      const bytes = readFileSync(join(root, 'main'));
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.nat(1023), fc.nat(255)), { maxLength: 8 }), fc.nat(bytes.length), (changes, length) => {
          const damaged = Buffer.from(bytes.subarray(0, length));
          for (const [at, value] of changes) if (at < damaged.length) damaged[at] = value;
          const needs = elfNeeds(damaged);
          expect(needs === undefined || Array.isArray(needs.libraries)).toBe(true);
        }),
        { numRuns: 500 },
      );
    });
  });

  it('the loader’s cache names files that are there, and none without a cache', () => {
    const libc = loaderCache().get('libc.so.6') ?? [];
    expect(libc.length).toBeGreaterThan(0);
    expect(libc.every((path) => existsSync(path))).toBe(true);
    expect(loaderCache('/etc/passwd').size).toBe(0);
    expect(loaderCache('/none').size).toBe(0);
  });
});
