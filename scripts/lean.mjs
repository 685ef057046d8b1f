import { readFile } from 'node:fs/promises';

/** What nest-commander brings along for shell completion, questions and plugins, none of which we use: two thirds of a server's first file. */
const withoutUnused = {
  name: 'without-unused',
  setup(builder) {
    builder.onResolve({ filter: /^(prettier|inquirer|cosmiconfig)$/ }, ({ path }) => ({ path, namespace: 'nothing' }));
    builder.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {}' }));
  },
};

/**
 * Parts of Node that Nest imports for web servers: they are loaded at their first use, which never comes. An import finds no
 * names in an empty object and looks further, in its prototype.
 */
const lateBuiltins = {
  name: 'late-builtins',
  setup(builder) {
    builder.onResolve({ filter: /^(http|tls)$/ }, ({ path, importer }) =>
      importer.includes('/@nestjs/') ? { path, namespace: 'late' } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({
      contents: `module.exports = Object.create(new Proxy({}, { get: (_, name) => require('${path}')[name] }));`,
    }));
  },
};

/** Nest's logger makes a date format as it is loaded: 12 ms and 10 MB of Unicode data, for dates that our log writes itself. */
const lateDates = {
  name: 'late-dates',
  setup(builder) {
    builder.onLoad({ filter: /@nestjs\/common\/services\/(console-)?logger\.service\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace(
        /const dateTimeFormatter = (new Intl\.DateTimeFormat\([^)]*\));/,
        'const dateTimeFormatter = { format: (date) => $1.format(date) };',
      );
      if (contents === source) throw new Error(`${path}: no date format is made there any more`);
      return { contents };
    });
  },
};

/** Keeps out of a server what it would only load. */
export const lean = [withoutUnused, lateBuiltins, lateDates];
