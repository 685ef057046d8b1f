import type { CatalogEntry } from '#model';
import type { ToolDefinition } from './tool-definition.js';

/** Port to discovery: what this host offers, whoever has loaded it. Every call sees the files as they are now. */
export abstract class ToolCatalog {
  /** Every tool, sorted by name; one that cannot be used is listed with the reason. */
  abstract entries(): readonly CatalogEntry[];

  /** A tool ready to run. Throws NotFoundError; for a tool that cannot be used its message ends with the reason. */
  abstract find(name: string): ToolDefinition;
}
