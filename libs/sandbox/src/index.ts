export {
  type ClosedPlace,
  type ExplainedPolicy,
  type GrantClass,
  type PathGrant,
  type PathVariables,
  type SandboxPolicy,
} from './policy.js';
export { loadPolicy, parsePolicy, pathsOfPolicy, readProjectOf, USUAL, type PolicyChoice, type ReadProject } from './load-policy.js';
export { NoSuchPolicyError, RunOrderError, SandboxConfigError, SandboxHelperError } from './errors.js';
export { toolEnvironment } from './tool-environment.js';
export { encodeCellOrder, encodeInnerOrder, encodeRunOrder, type RunOrder } from './run-order.js';
export { parseHelperReport, type HelperReport } from './parse-helper-report.js';
export { findHelper } from './helper.js';
export { askPeer, type Peer } from './peer.js';
export { probe, type ProbeReport } from './probe.js';
export { TrustedFiles } from './trusted-files.js';
export { trustableFile, trustProject } from './trust-project.js';
export { linksTo } from './links-to.js';
export { realPathOf } from './path-check.js';
export { programGrants, withProgram } from './program-grants.js';
export { isVisible, policyOn, type UserRights } from './denial.js';
export { explainCommand, type Finding } from './explain-command.js';
