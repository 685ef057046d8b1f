import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Agent } from '#agent';
import { errnoOf } from '#config';
import { NotFoundError, PermissionDeniedError } from '#model';
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
  const [top, path] = await Promise.all([realDirectory(base, base, home), realDirectory(wanted, base, home)]);
  if (path !== top && !path.startsWith(join(top, sep))) throw new PermissionDeniedError('cwd is outside of that of the agent');
  return path;
}

async function realDirectory(wanted: string, base: string, home: string): Promise<string> {
  const path = await workingDirectory(wanted, base, home);
  try {
    return await realpath(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    throw new NotFoundError('directory', wanted); // it went meanwhile
  }
}
