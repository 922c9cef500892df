import { BlockedError, guardToolMap, RemoteEngine } from "../../../client-node/index.ts";
import { type Arguments, type ToolName, toolNames } from "../scenarios/scenario.ts";
import type { Stage } from "./stage.ts";

/** One run of a tool: what it was given, and what it answered. */
export interface Ran {
  readonly tool: string;
  readonly args: Arguments;
  readonly result: { readonly receipt: string };
}

/** What became of a call. `replayed`: it was answered, and no tool ran for it. */
export type Outcome =
  | { readonly kind: "ran"; readonly args: Arguments; readonly result: unknown }
  | { readonly kind: "replayed"; readonly result: unknown }
  | { readonly kind: "refused"; readonly code: string | null; readonly error: BlockedError };

/** An agent with the three tools, guarded by the client package. Its tools note each run; nothing else makes an entry in `ran`. */
export class Agent {
  readonly ran: Ran[] = [];
  readonly engine: RemoteEngine;
  readonly #tools: Readonly<Record<string, (args: Arguments) => Promise<unknown>>>;

  constructor({ socket }: Stage, principal = "eval-agent", tools: readonly string[] = toolNames) {
    this.engine = new RemoteEngine(socket, { timeout: 30, grace_ms: 10_000 });
    const run = (tool: string) => async (args: Arguments) => {
      const result = { receipt: `${tool}-${this.ran.length + 1}` };
      this.ran.push({ tool, args, result });
      return result;
    };
    this.#tools = guardToolMap(Object.fromEntries(tools.map((tool) => [tool, run(tool)])), {
      engine: this.engine,
      principal,
    });
  }

  /** Puts one call after the other: only what this call added to `ran` is its own. */
  async put(tool: string, args: Arguments): Promise<Outcome> {
    const before = this.ran.length;
    try {
      const result = await this.call(tool, args);
      const own = this.ran[before];
      return own === undefined ? { kind: "replayed", result } : { kind: "ran", args: own.args, result };
    } catch (error) {
      if (!(error instanceof BlockedError)) throw error;
      return { kind: "refused", code: error.decision.details?.code ?? null, error };
    }
  }

  /** The guarded tool's own answer, or what it throws. */
  call(tool: ToolName | string, args: Arguments): Promise<unknown> {
    const guarded = this.#tools[tool];
    if (guarded === undefined) throw new Error(`the agent has no tool ${tool}`);
    return guarded(args);
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}

/** A stage with one agent on it. */
export const withAgent = async <T>(stage: Stage, work: (agent: Agent) => Promise<T>): Promise<T> => {
  const agent = new Agent(stage);
  try {
    return await work(agent);
  } finally {
    await agent.close();
  }
};
