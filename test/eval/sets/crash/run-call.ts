import { appendFileSync } from "node:fs";
import {
  enforceToolCall,
  enforceToolResult,
  type RemoteEngine,
  resumeToolCall,
} from "../../../../client-node/index.ts";
import type { Arguments } from "../../scenarios/scenario.ts";

/** Where a call can be interrupted: before it is put, while it is asked about, allowed, run, reported. */
export const steps = ["before", "asked", "permitted", "ran", "reported"] as const;
export type Step = (typeof steps)[number];

export interface CrashCall {
  readonly callId: string;
  readonly args: Arguments;
  /** The approval that is resumed; null for a call that is put. */
  readonly approvalId: string | null;
  /** The tool's effect: a line in this file. */
  readonly effects: string;
}

export const crashTool = "refund_invoice";
export const crashPrincipal = "eval-agent";

/** One guarded call as `guardToolMap` makes it, with a stop at each step. */
export const runCall = async (
  engine: RemoteEngine,
  { callId, args, approvalId, effects }: CrashCall,
  at: (step: Step) => Promise<void> = async () => undefined,
): Promise<void> => {
  const options = { engine, principal: crashPrincipal, callId };
  await at("before");
  const asked =
    approvalId === null
      ? enforceToolCall(crashTool, args, options)
      : resumeToolCall(crashTool, { approvalId, callId }, options);
  // Whoever ends at this step does not wait for it.
  asked.catch(() => undefined);
  await at("asked");
  await asked;
  await at("permitted");
  appendFileSync(effects, `${callId}\n`);
  await at("ran");
  await enforceToolResult(crashTool, { receipt: callId }, options);
  await at("reported");
};
