import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { parseScript, scriptsByName, startScriptedServer, type Script, type ScriptSource } from '#backends';
import { loadYaml, messageOf } from '#config';
import { CommandError, type World } from '#ninep-cli';
import type { ScriptedLine } from './parse-scripted-line.js';
import { RequestLog } from './request-log.js';

/** Serves, says where, and resolves when `signal` came. Throws CommandError, or ConfigError for a script that is not right. */
export async function serveScripts(line: ScriptedLine, { stdout }: World, signal: AbortSignal): Promise<void> {
  const server = await started(line, scriptsOf(line));
  try {
    const width = Math.max(...Object.keys(server.urls).map((name) => name.length));
    const lines = Object.entries(server.urls).map(([name, url]) => `${name.padEnd(width)}  ${url}\n`);
    await stdout.write(lines.join(''));
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    await server.close();
  }
}

function scriptsOf({ scripts }: ScriptedLine): ScriptSource {
  const read = [...scripts].map(([model, file]): readonly [string, Script] => {
    if (!existsSync(file)) throw new CommandError(`${file}: no such file`);
    return [model, parseScript(loadYaml(file), file)];
  });
  return scriptsByName(Object.fromEntries(read));
}

async function started(line: ScriptedLine, scripts: ScriptSource): ReturnType<typeof startScriptedServer> {
  const { port, host, key, isStrict, isBytewise, seed, logFile } = line;
  const log = logFile === undefined ? undefined : RequestLog.open(logFile, key);
  try {
    return await startScriptedServer({
      scripts,
      port,
      host,
      strict: isStrict,
      ...(key === undefined ? {} : { key }),
      ...(seed === undefined ? {} : { seed }),
      ...(isBytewise ? { chunk: 'bytes' } : {}),
      ...(log && { onRequest: (request) => log.add(request) }),
    });
  } catch (error) {
    throw new CommandError(`cannot listen on ${host} port ${port}: ${messageOf(error)}`);
  }
}
