export { parseJson, jsonIn, isJsonObject, type JsonObject, type JsonValue } from './json.js';
export {
  AlreadyExistsError,
  BusyError,
  IllegalInputError,
  InterruptedError,
  LostConnectionError,
  MessageTooLongError,
  NotFoundError,
  OllieError,
  PartnerError,
  PermissionDeniedError,
  ReadOnlyError,
  TimedOutError,
  type LogLevel,
  type PosixCode,
} from './errors.js';
export { escapeField, unescapeField } from './field.js';
export { escapeValue, unescapeValue } from './payload-value.js';
export { commandLabel } from './command-label.js';
export { withoutTornEnd, withoutTornStart } from './torn-characters.js';
export { abortable } from './abortable.js';
export { isId, isName, newId } from './ids.js';
export { GivenName } from './given-name.js';
export {
  RESULT_MARK,
  resultText,
  textResult,
  type BypassRule,
  type CatalogEntry,
  type ImageContent,
  type ParallelClass,
  type ResultTier,
  type SandboxReach,
  type TextContent,
  type ToolCall,
  type ToolContent,
  type ToolInfo,
  type ToolResult,
} from './tool.js';
export { userText, type AssistantMessage, type Message, type ReplayBlock, type ToolMessage, type UserMessage } from './message.js';
export type { Usage } from './usage.js';
export type { GenerationParams } from './generation-params.js';
export { anyText, GENERATION_KEYS, GENERATION_VALUES, wholeFrom, type ParseValue } from './generation-values.js';
export type { StopReason, StreamEvent } from './stream-event.js';
export { BACKEND_NAMES, type BackendName } from './backend-names.js';
export { BackendCatalog } from './backend-catalog.js';
export type { ModelCapabilities, ModelFacts, ModelInfo } from './model-facts.js';
export { Backend, type ModelRequest, type ToolSchema } from './backend.js';
export {
  AbortedError,
  AuthError,
  BackendError,
  ContextOverflowError,
  RateLimitError,
  RequestError,
  ToolUnsupportedError,
  TransientError,
  type BackendFailure,
} from './backend-errors.js';
export { noNumbers, type ProcessNumbers } from './process-numbers.js';
export type { BackgroundProcess, ProcessEnd, ProcessOrder } from './background-process.js';
export { ToolHost, ToolHostFactory, ToolServer, type OutputPiece, type ToolProcessInfo, type ToolRequest } from './tool-server.js';
export { AgentDoors } from './agent-doors.js';
export { Clock } from './clock.js';
export { SystemClock } from './system-clock.js';
export type { AgentEvent, AgentRole, AgentState } from './agent-event.js';
export { EventSink, type EventData, type EventSubject, type Topic } from './session-event.js';
export { ApprovalDesk, type ApprovalDecision, type ApprovalKind, type ApprovalRequest } from './approval.js';
