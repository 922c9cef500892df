import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Approval,
  BlockedError,
  enforceToolResult,
  guardToolMap,
  NotApprovedError,
  RemoteEngine,
  ReplayedError,
  resumeToolCall,
} from "../../../client-node/index.ts";
import { type Arguments, toolNames } from "../scenarios/scenario.ts";
import type { Stage } from "./stage.ts";

/** One run of a tool: what it was given, and what it answered. */
export interface Ran {
  readonly tool: string;
  readonly args: Arguments;
  readonly result: { readonly receipt: string };
}

/** What became of a call. `replayed`: it was answered with a recorded result, and no tool ran for it. */
export type Outcome =
  | { readonly kind: "ran"; readonly args: Arguments; readonly result: unknown }
  | { readonly kind: "replayed"; readonly result: unknown }
  | { readonly kind: "refused"; readonly code: string | null; readonly error: BlockedError };

/** An agent with the three tools, guarded by the client package. Its tools note each run; nothing else makes an entry in `ran`. */
export class Agent {
  readonly ran: Ran[] = [];
  readonly engine: RemoteEngine;
  readonly principal: string;
  readonly #ledger: string;
  readonly #tools: Readonly<Record<string, (args: Arguments) => Promise<unknown>>>;

  constructor({ socket, home }: Stage, principal = "eval-agent") {
    this.#ledger = join(home, "refunds.jsonl");
    this.engine = new RemoteEngine(socket, { timeout: 30, grace_ms: 10_000 });
    this.principal = principal;
    const bare = toolNames.map((tool) => [tool, async (args: Arguments) => this.#run(tool, args)] as const);
    this.#tools = guardToolMap(Object.fromEntries(bare), { engine: this.engine, principal });
  }

  /** What a tool answers is nobody else's: a replay is told by it. A refund is in the shop's ledger from now on. */
  #run(tool: string, args: Arguments): Ran["result"] {
    const result = { receipt: randomUUID() };
    if (tool === "refund_invoice") appendFileSync(this.#ledger, `${JSON.stringify(args)}\n`);
    this.ran.push({ tool, args, result });
    return result;
  }

  /** Puts one call after the other: only what this call added to `ran` is its own. */
  async put(tool: string, args: Arguments): Promise<Outcome> {
    const before = this.ran.length;
    try {
      const result = await this.call(tool, args);
      const own = this.ran[before];
      return own === undefined ? { kind: "replayed", result } : { kind: "ran", args: own.args, result };
    } catch (error) {
      return refusedBy(error);
    }
  }

  /** The guarded tool's own answer, or what it throws. */
  call(tool: string, args: Arguments): Promise<unknown> {
    const guarded = this.#tools[tool];
    if (guarded === undefined) throw new Error(`the agent has no tool ${tool}`);
    return guarded(args);
  }

  /** Puts a call that somebody has to approve. Throws where it was not asked for. */
  async request(tool: string, args: Arguments): Promise<Approval> {
    const outcome = await this.put(tool, args);
    const error = outcome.kind === "refused" ? outcome.error : null;
    if (!(error instanceof NotApprovedError) || error.approvalId === null || error.callId === null) {
      throw new Error(`no approval was asked for: ${outcome.kind} ${error?.message ?? ""}`);
    }
    return { approvalId: error.approvalId, callId: error.callId };
  }

  /** Runs an approved call. */
  async resume(tool: string, approval: Approval): Promise<Outcome> {
    const options = { engine: this.engine, principal: this.principal, callId: approval.callId };
    try {
      const args = await resumeToolCall(tool, approval, options);
      return { kind: "ran", args, result: await enforceToolResult(tool, this.#run(tool, args), options) };
    } catch (error) {
      if (error instanceof ReplayedError) return { kind: "replayed", result: error.result };
      return refusedBy(error);
    }
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}

const refusedBy = (error: unknown): Outcome => {
  if (!(error instanceof BlockedError)) throw error;
  return { kind: "refused", code: error.decision.details?.code ?? null, error };
};

/** A stage with one agent on it. */
export const withAgent = async <T>(
  stage: Stage,
  work: (agent: Agent) => Promise<T>,
  principal?: string,
): Promise<T> => {
  const agent = new Agent(stage, principal);
  try {
    return await work(agent);
  } finally {
    await agent.close();
  }
};
