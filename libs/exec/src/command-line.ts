import { isJsonObject, type JsonObject } from '#model';
import type { PathGrant } from '#sandbox';
import { OWN_NODE, type ToolDefinition } from '#tools';
import { argumentText } from './argument-environment.js';

/** The argument list of a call. `sh -c` and interpreters are found by the tool's PATH; no argument is put into a command line. */
export function argumentList(tool: ToolDefinition, args: JsonObject, node: string): readonly string[] {
  const positional = tool.pass === 'argv' ? positionalArguments(tool, args) : [];
  const { command } = tool;
  switch (command.type) {
    case 'argv':
      return [...command.argv, ...positional];
    case 'shell':
      return ['sh', '-c', command.line, tool.info.name, ...positional];
    case 'file':
      return [...interpreterOf(command.interpreter, node), command.path, ...positional];
  }
}

/** What a tool needs beyond the policy to run at all: its own files, and Node if it is a Node script. Both paths are free of links. */
export function toolGrants(tool: ToolDefinition, directory: string, node: string): readonly PathGrant[] {
  const origin = `tool ${tool.info.name}`;
  const own: PathGrant = { path: directory, access: 'rox', origin };
  const usesNode = tool.command.type === 'file' && tool.command.interpreter === OWN_NODE;
  return usesNode ? [own, { path: node, access: 'rox', origin }] : [own];
}

function interpreterOf(interpreter: string | undefined, node: string): readonly string[] {
  if (interpreter === undefined) return [];
  return [interpreter === OWN_NODE ? node : interpreter];
}

/** In the order of the schema; what was not given is left out. */
function positionalArguments(tool: ToolDefinition, args: JsonObject): readonly string[] {
  const properties = tool.info.inputSchema['properties'];
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  return names.flatMap((name) => {
    const value = args[name];
    return value === undefined ? [] : [argumentText(value)];
  });
}
