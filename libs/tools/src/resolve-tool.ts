import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#config';
import { ToolMetadataError } from './errors.js';
import type { ToolMetadata } from './metadata.js';
import { findProgram, isExecutableFile } from './search-path.js';
import type { Sidecar } from './sidecars.js';
import type { ToolCommand } from './tool-definition.js';

/** `interpreter: node` is the Node that runs the server, wherever PATH points. */
export const OWN_NODE = 'node';

/** What a tool runs on this host. Throws ToolMetadataError when something that it needs is missing. */
export function resolveCommand(metadata: ToolMetadata, sidecar: Sidecar, searchPath: string): ToolCommand {
  const missing = metadata.requires.find((program) => findProgram(program, searchPath) === undefined);
  if (missing !== undefined) throw new ToolMetadataError(sidecar.file, `requires: ${missing} is not installed`);
  const { command } = metadata;
  if (command === undefined) return fileBeside(metadata, sidecar, searchPath);
  return typeof command === 'string' ? { type: 'shell', line: command } : { type: 'argv', argv: command };
}

function fileBeside(metadata: ToolMetadata, sidecar: Sidecar, searchPath: string): ToolCommand {
  const { interpreter } = metadata;
  if (interpreter !== undefined && interpreter !== OWN_NODE && findProgram(interpreter, searchPath) === undefined) {
    throw new ToolMetadataError(sidecar.file, `interpreter: ${interpreter} is not installed`);
  }
  const usable = interpreter === undefined ? isExecutableFile : isReadable;
  const path = sidecar.beside.map((name) => join(sidecar.directory, name)).find(usable);
  if (path !== undefined) return { type: 'file', path, interpreter };
  const what = interpreter === undefined ? 'executable' : 'script';
  throw new ToolMetadataError(sidecar.file, `command: missing, and no ${what} ${sidecar.stem} or ${sidecar.stem}.* lies beside it`);
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
