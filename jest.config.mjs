// Inside jest everything is CommonJS: the same on every supported Node, without flags.
// Packages that ship only ESM are named here so that swc converts them.
const esmOnly = [
  '@nestjs', 'file-type', 'strtok3', 'token-types', '@tokenizer', 'uint8array-extras', 'load-esm', '@borewit', 'fast-check', 'pure-rand',
  'eventsource-parser',
];
const typescript = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2023',
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};
const javascript = { jsc: { parser: { syntax: 'ecmascript' }, target: 'es2023' }, module: { type: 'commonjs' }, isModule: 'unknown' };

export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test', '<rootDir>/docs/guides'],
  testRegex: process.env.OLLIE_TEST_FULL ? '\\.(spec|full)\\.ts$' : '\\.spec\\.ts$',
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/fixtures/'],
  setupFiles: ['reflect-metadata'],
  transform: { '^.+\\.ts$': ['@swc/jest', typescript], '^.+\\.m?js$': ['@swc/jest', javascript] },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  testEnvironmentOptions: { customExportConditions: ['ollie-source', 'require', 'node', 'default'] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  reporters: ['default', '<rootDir>/test/count-reporter.mjs'],
  testTimeout: 20_000,
  slowTestThreshold: 5,
};
