import { readFile } from 'node:fs/promises';
import { transform } from '@swc/core';

/** esbuild drops decorator metadata, by which Nest injects; swc keeps it. */
export const decorators = {
  name: 'decorators',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), {
        filename: path,
        configFile: false,
        swcrc: false,
        sourceMaps: 'inline',
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2023',
        },
      });
      return { contents: code, loader: 'js' };
    });
  },
};
