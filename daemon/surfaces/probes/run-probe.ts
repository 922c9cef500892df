import type { WireObject, WireValue } from "../../../wire/value.ts";
import { effectsIn } from "../runtime/effect.ts";
import { effectRank } from "../runtime/effect-words.ts";
import { observedOutcome, type ProbeAnswer } from "./answer.ts";
import type { cleanups, Observation } from "./probe.ts";
import { stateChange } from "./readback.ts";
import { leavesOf, type StateLeaves } from "./state-mask.ts";

/** A server as a probe calls it, with the guard in between. Never rejects: what went wrong is the answer. */
export interface ProbedServer {
  call(tool: string, args: WireObject): Promise<ProbeAnswer>;
}

export interface ProbeCall {
  readonly tool: string;
  readonly args: WireObject;
}

export interface ReadbackCalls {
  readonly target: ProbeCall;
  readonly read: ProbeCall;
  readonly declared: ReadonlySet<string>;
  /** Between the two reads before the call: longer than the coarsest clock in the state. */
  readonly idle_ms: number;
}

export const runPermission = async (server: ProbedServer, { tool, args }: ProbeCall): Promise<Observation> => {
  const { outcome, error_class } = observedOutcome(await server.call(tool, args));
  return { kind: "permission", outcome, error_class };
};

/** Reads twice, calls, and reads again. Ends where a step says nothing: half of it proves nothing. */
export const runReadback = async (server: ProbedServer, calls: ReadbackCalls): Promise<Observation> => {
  const { target, read, declared, idle_ms } = calls;
  const states: StateLeaves[] = [];
  const readState = async (): Promise<string | null> => {
    const answer = await server.call(read.tool, read.args);
    const failed = failureOf(answer);
    if (failed !== null || answer.kind !== "result") return failed;
    try {
      states.push(leavesOf(stateOf(answer)));
      return null;
    } catch (error) {
      if (error instanceof RangeError) return "state_too_large";
      throw error;
    }
  };
  for (const pause_ms of [0, idle_ms]) {
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
    const failed = await readState();
    if (failed !== null) return nothing("before_readback", failed);
  }
  const answer = await server.call(target.tool, target.args);
  const refused = failureOf(answer);
  const failed = await readState();
  const [first, second, after] = states;
  if (first === undefined || second === undefined || after === undefined) return nothing("after", failed ?? "unknown");
  const { changed, ...hashes } = stateChange({ idle: [first, second], after, declared });
  // A call that failed and changed something all the same changed something.
  if (refused !== null && changed === 0) return { ...nothing("target_call", refused), ...hashes };
  const claims_no_effect = answer.kind === "result" && saysNothingDone(answer);
  return { kind: "readback", failed_at: null, error_class: refused, changed, claims_no_effect, ...hashes };
};

/** Takes a canary away again. */
export const runCleanup = async (server: ProbedServer, call: ProbeCall | null): Promise<(typeof cleanups)[number]> => {
  if (call === null) return "none";
  return failureOf(await server.call(call.tool, call.args)) === null ? "done" : "failed";
};

const nothing = (
  failed_at: "before_readback" | "target_call" | "after",
  error_class: string,
): Observation & { kind: "readback" } => ({
  kind: "readback",
  failed_at,
  error_class,
  changed: 0,
  claims_no_effect: false,
  before: null,
  after: null,
});

const failureOf = (answer: ProbeAnswer): string | null => {
  const { outcome, error_class } = observedOutcome(answer);
  return outcome === "allowed" || outcome === "accepted" ? null : (error_class ?? outcome);
};

type Result = Extract<ProbeAnswer, { kind: "result" }>;

const stateOf = ({ texts, structured }: Result): WireValue => ({
  content: texts.map((text) => ({ text })),
  structuredContent: structured,
});

const saysNothingDone = ({ texts, structured }: Result): boolean => {
  const { classes } = effectsIn({
    content: texts.map((text) => ({ type: "text", text })),
    structuredContent: structured,
  });
  return classes.size > 0 && [...classes].every((one) => effectRank[one] <= effectRank.plan);
};
