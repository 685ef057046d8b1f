import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '#config';

export interface GrammarFiles {
  readonly engine: Uint8Array;
  readonly bash: Uint8Array;
}

/** The two WebAssembly files: beside the running bundle, else in the packages that ship them. */
export function readGrammarFiles(): GrammarFiles {
  return {
    engine: read('web-tree-sitter', 'web-tree-sitter.wasm'),
    bash: read('tree-sitter-bash', 'tree-sitter-bash.wasm'),
  };
}

function read(library: string, file: string): Uint8Array {
  const script = process.argv[1];
  const beside = script !== undefined && existsSync(script) ? join(dirname(realpathSync(script)), file) : file;
  return readFileSync(existsSync(beside) ? beside : join(packageRoot(), 'node_modules', library, file));
}
