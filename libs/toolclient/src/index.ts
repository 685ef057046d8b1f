export { MalformedAnswerError, ToolsrvLostError, ToolsrvStartError } from './errors.js';
export { NinePToolServer, type AgentScope } from './ninep-tool-server.js';
export { SpawnedToolHost, type HandsOf } from './spawned-tool-host.js';
export { ToolHosts } from './tool-hosts.js';
export { ToolclientModule, type ToolclientOptions } from './toolclient.module.js';
export { IDLE_MS, type ToolsrvLaunch } from './toolsrv-launch.js';
