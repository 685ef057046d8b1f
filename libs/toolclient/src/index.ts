export { ToolclientModule, type ToolclientOptions } from './toolclient.module.js';
