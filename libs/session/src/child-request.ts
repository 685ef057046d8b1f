import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Agent } from '#agent';
import { PermissionDeniedError } from '#model';
import type { AgentRequest } from './requests.js';
import { workingDirectory } from './working-directory.js';

/**
 * What becomes of an agent's own request for another agent: a child of its own, which works where it does or below. Throws
 * PermissionDeniedError for more than that, and NotFoundError (directory).
 */
export async function childRequest(request: AgentRequest, asker: Agent, home: string): Promise<AgentRequest> {
  const { parent = asker.id, cwd } = request;
  if (parent !== asker.id && parent !== asker.name) throw new PermissionDeniedError('parent is another agent');
  return { ...request, parent: asker.id, ...(cwd !== undefined && { cwd: await directoryBelow(asker.cwd, cwd, home) }) };
}

/** Links are followed: one that an agent has made must not lead out. */
async function directoryBelow(base: string, wanted: string, home: string): Promise<string> {
  const [top, path] = await Promise.all([realpath(base), workingDirectory(wanted, base, home).then((found) => realpath(found))]);
  if (path !== top && !path.startsWith(join(top, sep))) throw new PermissionDeniedError('cwd is outside of that of the agent');
  return path;
}
