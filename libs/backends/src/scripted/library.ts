import { existsSync, readdirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ConfigError, loadYaml } from '#config';
import type { ModelInfo } from '#model';
import { ScriptRefusal } from './errors.js';
import { parseScript } from './parse-script.js';
import type { Script } from './script.js';

const FILE = /^([A-Za-z0-9][A-Za-z0-9._-]*)\.yaml$/;

/** Where scripts come from. A model's name is the name of its script. */
export interface ScriptSource {
  /** Throws ScriptRefusal (404) when there is none, ConfigError when it is not right. */
  find(model: string): Script;
  /** Sorted by id. */
  models(): readonly ModelInfo[];
}

/** `<name>.yaml` in the first directory that has it, or an absolute path. A changed file is read anew. */
export class ScriptLibrary implements ScriptSource {
  private readonly known = new Map<string, { readonly stamp: string; readonly script: Script }>();

  constructor(private readonly directories: readonly string[]) {}

  find(model: string): Script {
    for (const file of this.places(model)) {
      const stamp = stampOf(file);
      if (stamp !== undefined) return this.read(file, stamp);
    }
    throw noSuchModel(model, this.names());
  }

  models(): readonly ModelInfo[] {
    return this.names().map((id) => ({ id, ...this.contextLengthOf(id) }));
  }

  private names(): readonly string[] {
    const entries = this.directories.filter((directory) => existsSync(directory)).flatMap((directory) => readdirSync(directory));
    return [...new Set(entries.flatMap((entry) => FILE.exec(entry)?.[1] ?? []))].toSorted();
  }

  private places(model: string): readonly string[] {
    if (isAbsolute(model)) return [model];
    return FILE.test(`${model}.yaml`) ? this.directories.map((directory) => join(directory, `${model}.yaml`)) : [];
  }

  private read(file: string, stamp: string): Script {
    const known = this.known.get(file);
    if (known?.stamp === stamp) return known.script;
    const script = parseScript(loadYaml(file), file);
    this.known.set(file, { stamp, script });
    return script;
  }

  /** A broken script is listed; using it tells what is wrong. */
  private contextLengthOf(id: string): Partial<ModelInfo> {
    try {
      const { contextLength } = this.find(id);
      return contextLength === undefined ? {} : { contextLength };
    } catch (error) {
      if (error instanceof ConfigError) return {};
      throw error;
    }
  }
}

/** Scripts in memory, by model name. */
export function scriptsByName(scripts: Readonly<Record<string, Script>>): ScriptSource {
  const byName = new Map(Object.entries(scripts));
  return {
    find(model) {
      const script = byName.get(model);
      if (!script) throw noSuchModel(model, [...byName.keys()]);
      return script;
    },
    models: () =>
      [...byName]
        .map(([id, { contextLength }]) => ({ id, ...(contextLength === undefined ? {} : { contextLength }) }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

function stampOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}

function noSuchModel(model: string, names: readonly string[]): ScriptRefusal {
  return new ScriptRefusal(`no script for model ${model}; there are: ${names.join(' ')}`, 404, 'model_not_found');
}
