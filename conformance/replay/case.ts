import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../wire/value.ts";
import type { CaseExpectation, DecisionExpectation, EventData } from "../corpus/format.ts";
import type { NotedDecision, TaskClient } from "../line/protocol.ts";
import { filledArgs } from "./client-values.ts";
import { ReplayFailure } from "./raw-connection.ts";

/** How long a client waits for a verdict; far above the deadline of a rule and the restart of an engine. */
const clientTimeout_ms = 10_000;

/** Puts one event through a client and compares what it makes of the answer. Throws `ReplayFailure`. */
export const playCase = async (
  client: TaskClient,
  socket: string,
  event: EventData,
  expect: CaseExpectation,
): Promise<void> => {
  const filled = { ...event, args: filledArgs(event.args) };
  const answer = await client.do({
    op: "evaluate",
    client: "corpus",
    socket,
    timeout_ms: clientTimeout_ms,
    event: filled,
  });
  if ("blocked" in answer) {
    const wrong = refusalMismatch(answer.blocked, expect);
    if (wrong !== null) throw new ReplayFailure(wrong);
    return;
  }
  if (!("decision" in answer)) throw new ReplayFailure(`neither a decision nor a block: ${JSON.stringify(answer)}`);
  const { decision, effective_args } = answer;
  if ("error" in expect) throw new ReplayFailure(`decided ${decision.verdict}; expected ${expect.error}`);
  const wrong = decisionMismatch(decision, effective_args, expect);
  if (wrong !== null) throw new ReplayFailure(`${wrong}; got ${JSON.stringify(decision)}`);
};

const refusalMismatch = (reason: string, expect: CaseExpectation): string | null => {
  if (!("error" in expect)) return `blocked: ${reason}`;
  if (expect.by === "daemon") return reason.includes(expect.error) ? null : `reason has no ${expect.error}: ${reason}`;
  // A refusal of the client's own must not send its reader to look at the daemon.
  return reason.includes("daemon refused") || reason.includes("unreachable")
    ? `a refusal of the client's own is said to be the daemon's: ${reason}`
    : null;
};

const decisionMismatch = (
  decision: NotedDecision,
  effective: JsonObject,
  expect: DecisionExpectation,
): string | null => {
  if (decision.verdict !== expect.verdict) return `verdict is not ${expect.verdict}`;
  if (expect.reason_contains !== undefined) {
    const missing = expect.reason_contains.find((part) => !decision.reason.includes(part));
    if (missing !== undefined) return `reason does not hold ${JSON.stringify(missing)}`;
  } else if (decision.reason !== (expect.reason ?? "")) return `reason is not ${JSON.stringify(expect.reason ?? "")}`;
  for (const key of ["policy_id", "attributed_to"] as const) {
    if (decision[key] !== (expect[key] ?? null)) return `${key} is not ${JSON.stringify(expect[key] ?? null)}`;
  }
  const argsWrong = argsMismatch(decision, effective, expect);
  if (argsWrong !== null) return argsWrong;
  if (!isDeepStrictEqual(decision.modified_result, expect.modified_result ?? null)) {
    return `modified_result is not ${JSON.stringify(expect.modified_result ?? null)}`;
  }
  const text = JSON.stringify(decision);
  const told = (expect.never_contains ?? []).find((never) => text.includes(never));
  return told === undefined ? null : `holds ${JSON.stringify(told)}, which may stand in no decision`;
};

const argsMismatch = (decision: NotedDecision, effective: JsonObject, expect: DecisionExpectation): string | null => {
  if (expect.effective_args !== undefined) {
    return isDeepStrictEqual(effective, expect.effective_args)
      ? null
      : `the arguments become ${JSON.stringify(effective)}, not ${JSON.stringify(expect.effective_args)}`;
  }
  return isDeepStrictEqual(decision.modified_args, expect.modified_args ?? null)
    ? null
    : `modified_args is not ${JSON.stringify(expect.modified_args ?? null)}`;
};
