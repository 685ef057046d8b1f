import type { ToolProcess } from '#exec';
import { ask, command, control, dir, dirOf, message, onlyFor, text, wait } from '#virtfs';
import type { ToolsrvServices } from '../toolsrv-services.js';
import { processDirectory } from './process.js';

const bypassDirectory = dir<ToolsrvServices>({
  pending: onlyFor(
    'observer',
    'an',
    wait('Observers: the next call that asks to leave the sandbox or for permission, as JSON', (t) => t.bypass.pending),
  ),
  resolve: onlyFor(
    'observer',
    'an',
    message('Observers: answer {"id":"b-1","approved":true} or {"id":"b-1","error":"why not"}', (t, text, { client }) =>
      t.bypass.resolve(text, client),
    ),
  ),
});

/** The whole namespace of toolsrv (contract section 3). */
export const toolsrvNamespace = dir<ToolsrvServices>({
  ctl: control<ToolsrvServices>(
    'Tools of agents',
    {
      load: command('Make a tool callable for an agent', (t, line) => t.tools.load(line), '<agent> <tool>'),
      unload: command('Take it away again', (t, line) => t.tools.unload(line), '<agent> <tool>'),
    },
    { writeOnly: true },
  ),
  tools: ask('Write an agent id, read its loaded tools as JSON', (t, agent) => t.tools.loaded(agent)),
  tools_rev: ask('Write an agent id, read the revision of its tools', (t, agent) => t.tools.revision(agent)),
  all: text('Every tool of this host as JSON', (t) => t.tools.all()),
  info: text('Platform, architecture and what the sandbox enforces', (t, call) => t.host.describe(call.signal)),
  bypass: bypassDirectory,
  proc: dirOf<ToolsrvServices, ToolProcess>(
    {
      list: ask('pid, state and tool of each process; write an agent id to see its own', (t, agent) => t.calls.list(agent), {
        unasked: (t) => t.calls.list(''),
      }),
      new: ask('Run a tool: write key=value lines, read its result as JSON', (t, payload, call) => t.calls.run(payload, call)),
      'new.bg': ask('Start a tool in the background: same lines, read its pid', (t, payload, call) => t.calls.start(payload, call)),
    },
    {
      label: '{pid}',
      entries: (t) => t.processes.list().map((process) => [String(process.id), process]),
      find: (t, pid) => t.processes.find(pid),
    },
    processDirectory,
  ),
});
