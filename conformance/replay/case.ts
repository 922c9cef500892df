import { isDeepStrictEqual } from "node:util";
import { BlockedError } from "../../client-node/blocked-error.ts";
import type { Decision } from "../../client-node/decision.ts";
import type { RemoteEngine } from "../../client-node/remote-engine.ts";
import { rewrittenArgs } from "../../client-node/rewrite.ts";
import { sensorEvent } from "../../client-node/sensor-event.ts";
import type { CaseExpectation, DecisionExpectation, EventData } from "../corpus/format.ts";
import { noted, revivedArgs } from "./client-values.ts";
import { ReplayFailure } from "./raw-connection.ts";

/** Puts one event through the Node client and compares what it makes of the answer. Throws `ReplayFailure`. */
export const playCase = async (engine: RemoteEngine, event: EventData, expect: CaseExpectation): Promise<void> => {
  const args = revivedArgs(event.args);
  let decision: Decision;
  try {
    decision = await engine.evaluate(sensorEvent({ ...event, args }));
  } catch (error) {
    const wrong = refusalMismatch(error, expect);
    if (wrong !== null) throw new ReplayFailure(wrong);
    return;
  }
  if ("error" in expect) throw new ReplayFailure(`decided ${decision.verdictName}; expected ${expect.error}`);
  const wrong = decisionMismatch(decision, args, expect);
  if (wrong !== null) throw new ReplayFailure(`${wrong}; got ${JSON.stringify(noted({ ...decision }))}`);
};

const refusalMismatch = (error: unknown, expect: CaseExpectation): string | null => {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  if (!("error" in expect)) return `refused: ${said}`;
  if (!(error instanceof BlockedError)) return `not a BlockedError: ${said}`;
  const { reason } = error.decision;
  if (expect.by === "daemon") return reason.includes(expect.error) ? null : `reason has no ${expect.error}: ${reason}`;
  // A refusal of the client's own must not send its reader to look at the daemon.
  return reason.includes("daemon refused") || reason.includes("unreachable")
    ? `a refusal of the client's own is said to be the daemon's: ${reason}`
    : null;
};

const decisionMismatch = (decision: Decision, args: object, expect: DecisionExpectation): string | null => {
  if (decision.verdictName !== expect.verdict) return `verdict is not ${expect.verdict}`;
  if (expect.reason_contains !== undefined) {
    const missing = expect.reason_contains.find((part) => !decision.reason.includes(part));
    if (missing !== undefined) return `reason does not hold ${JSON.stringify(missing)}`;
  } else if (decision.reason !== (expect.reason ?? "")) return `reason is not ${JSON.stringify(expect.reason ?? "")}`;
  for (const key of ["policy_id", "attributed_to"] as const) {
    if (decision[key] !== (expect[key] ?? null)) return `${key} is not ${JSON.stringify(expect[key] ?? null)}`;
  }
  const argsWrong = argsMismatch(decision, args, expect);
  if (argsWrong !== null) return argsWrong;
  if (!isDeepStrictEqual(noted(decision.modified_result), expect.modified_result ?? null)) {
    return `modified_result is not ${JSON.stringify(expect.modified_result ?? null)}`;
  }
  const text = JSON.stringify(noted({ ...decision }));
  const told = (expect.never_contains ?? []).find((never) => text.includes(never));
  return told === undefined ? null : `holds ${JSON.stringify(told)}, which may stand in no decision`;
};

const argsMismatch = (decision: Decision, args: object, expect: DecisionExpectation): string | null => {
  if (expect.effective_args !== undefined) {
    const after = noted(rewrittenArgs(args as Readonly<Record<string, unknown>>, decision));
    return isDeepStrictEqual(after, expect.effective_args)
      ? null
      : `the arguments become ${JSON.stringify(after)}, not ${JSON.stringify(expect.effective_args)}`;
  }
  return isDeepStrictEqual(noted(decision.modified_args), expect.modified_args ?? null)
    ? null
    : `modified_args is not ${JSON.stringify(expect.modified_args ?? null)}`;
};
