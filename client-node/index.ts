/**
 * interlock-guard: asks the policy daemon before a call runs, and blocks when it cannot.
 *
 *     enforceToolCall -> RemoteEngine -> Delivery -> Connection -> the socket
 *                        encode           line,        hello, frames,
 *                                         deadlines,   answers matched
 *                                         restarts     to questions
 */
export type { DecisionDetails } from "../wire/decision.ts";
export type { Phase } from "../wire/event.ts";
export { Verdict, type VerdictName } from "../wire/verdict.ts";
export { BlockedError, NotApprovedError, ReplayedError } from "./blocked-error.ts";
export { Decision } from "./decision.ts";
export { enforceToolCall } from "./enforce-call.ts";
export { enforceToolResult } from "./enforce-result.ts";
export type { RemoteEngineOptions } from "./engine-options.ts";
export type { EngineStats } from "./engine-stats.ts";
export type { Escalation } from "./escalation.ts";
export { guardMcpSession, type McpGuardOptions, type McpSession } from "./guard-mcp-session.ts";
export type {
  ApprovedCall,
  Enforcement,
  EnforceOptions,
  Engine,
  EngineAnswer,
  GuardOptions,
  Replay,
} from "./guard-options.ts";
export { type GuardedTool, guardToolMap, guardToolRunner } from "./guard-tools.ts";
export { type Installed, type InterceptorOptions, installInterceptors } from "./intercept/install.ts";
export { esmLoaderRegistered, registerEsmInterceptors } from "./intercept/register-esm.ts";
export { type Outcome, reportOutcome } from "./outcome.ts";
export { probe } from "./probe.ts";
export { RemoteEngine } from "./remote-engine.ts";
export { type Approval, resumeToolCall } from "./resume-call.ts";
export { type EventFields, sensorEvent, type UncheckedEvent } from "./sensor-event.ts";
export { type SignedFileRefusal, SignedFileRefused } from "./signed-file.ts";
