import { messageOf } from '#config';
import { NinePStrategy } from '#transport-ninep';
import { mount } from '#virtfs';
import { toolsrvNamespace } from './namespace/root.js';
import type { ServeOptions } from './serve-options.js';
import type { ServerHost } from './server-host.js';
import type { SessionAuth } from './session-auth.js';
import type { ToolsrvServices } from './toolsrv-services.js';

/** The 9P door over the namespace. Four parameters: what Nest injects. */
export function makeStrategy(services: ToolsrvServices, auth: SessionAuth, options: ServeOptions, { log }: ServerHost): NinePStrategy {
  return new NinePStrategy(mount(toolsrvNamespace, services), {
    listen: [options.listen],
    attachName: 'name',
    authenticate: ({ uname, aname }) => auth.begin(uname, aname),
    authorize: (request) => auth.checkAttach(request.auth),
    onBug: (error) => log.error(`9p: ${error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error)}`),
    onTrace: (line) => log.debug(line),
  });
}
