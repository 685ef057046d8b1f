import { isJsonObject, type JsonObject, type ToolInfo } from '#model';

const TIMEOUT: JsonObject = { type: 'integer', minimum: 1, maximum: 3600, description: 'Seconds after which the call is ended.' };
const BACKGROUND: JsonObject = {
  type: 'boolean',
  description: 'Start it and go on at once: you are told when it has ended. For servers, watchers and whatever takes minutes.',
};
const BYPASS: JsonObject = { type: 'boolean', description: 'Ask the user to let this one call run outside of the sandbox.' };

/** The arguments of a tool with those that are for the dispatcher. A tool's own argument of such a name stays what it is. */
export function withDispatchFields({ inputSchema, background, bypass }: ToolInfo): JsonObject {
  const own = inputSchema['properties'];
  const fields: JsonObject = {
    timeout: TIMEOUT,
    ...(background && { background: BACKGROUND }),
    ...(bypass !== 'never' && { bypass: BYPASS }),
  };
  return { ...inputSchema, properties: { ...fields, ...(isJsonObject(own) && own) } };
}

/** Whether a call is to run in the background, and its arguments without that. */
export function takeBackground(args: JsonObject, info: ToolInfo): { readonly isBackground: boolean; readonly args: JsonObject } {
  const own = info.inputSchema['properties'];
  if (!info.background || (isJsonObject(own) && Object.hasOwn(own, 'background'))) return { isBackground: false, args };
  const { background, ...rest } = args;
  return { isBackground: background === true || background === 'true', args: rest };
}
