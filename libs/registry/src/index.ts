export { ToolRegistry } from './tool-registry.js';
