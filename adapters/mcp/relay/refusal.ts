import { BlockedError, NotApprovedError } from "../../../client-node/blocked-error.ts";
import { Decision } from "../../../client-node/decision.ts";
import { oneLine } from "../../../client-node/one-line.ts";
import type { DecisionDetails } from "../../../wire/decision.ts";
import type { JsonObject } from "../../../wire/value.ts";
import { Verdict } from "../../../wire/verdict.ts";
import type { BlockCode } from "./block-codes.ts";
import type { RequestMessage } from "./message.ts";
import { type RpcError, rpcCodes, rpcError } from "./rpc-error.ts";

/** A refusal of the relay's own. `reason` names no value. */
export const refuse = (action: string, code: BlockCode, reason: string): BlockedError => {
  const details: DecisionDetails = { code, approval_id: null, transaction_id: null, errors: [], replayed: false };
  return new BlockedError(new Decision({ verdict: Verdict.BLOCK, reason, details }), action);
};

/** Where a result says why a call was blocked. */
export const blockedMark = "interlock/blocked";

/** What the agent is told besides the reason: which rule, which argument, and what it can do now. */
const explanation = (error: BlockedError): JsonObject => {
  const { decision } = error;
  const code = decision.details?.code ?? "no_verdict";
  const approval = error instanceof NotApprovedError ? error.approvalId : null;
  return {
    code,
    rule: decision.policy_id,
    argument: decision.attributed_to,
    next: nextStep(code, approval),
    ...(approval === null ? {} : { approval }),
    ...(decision.errors.length === 0 ? {} : { errors: decision.errors.map((one) => ({ ...one })) }),
  };
};

const nextStep = (code: string, approval: string | null): string => {
  if (approval !== null) {
    return `Nothing ran. Ask the user to have it approved (interlock approvals grant ${oneLine(approval)}), then make exactly this call again.`;
  }
  return Object.hasOwn(nextSteps, code) ? (nextSteps[code] as string) : otherwise;
};

const otherwise = "Do not repeat it unchanged. Tell the user which rule refused it, or take another way.";

const nextSteps: Readonly<Record<string, string>> = Object.freeze({
  no_verdict:
    "Nothing was let through. Tell the user that the guard cannot be reached (interlock doctor); calling again will not help before that.",
  evidence_failed: "Correct the arguments that are named, and call again.",
  limit_exceeded: "Wait before you call again, or ask for less.",
  in_flight: "The same call is under way: wait for its result.",
  outcome_unknown: "Tell the user: an operator has to say whether it ran before (interlock transactions list).",
  escalated: "It needs the user's yes, and this host cannot ask for it. Tell the user.",
  unknown_escalated: "It needs the user's yes, and this host cannot ask for it. Tell the user.",
  result_too_large: "The call ran; its result was withheld. Ask for a smaller part of it.",
  not_a_message: "The call may have run; its result cannot be read. Tell the user.",
  surface_unlisted: "Nothing ran: what the server lists cannot be read. Tell the user.",
  tool_held:
    "The tool changed since it was approved, and is held until an operator approves it (interlock drift list). Use another.",
  tool_quarantined: "The tool is quarantined until an operator approves it (interlock drift list). Use another.",
  tool_unlisted: "The server does not list this tool. List its tools again.",
});

/** How a blocked `tools/call` is answered: as a result, so that the model reads it. */
export const blockedResult = (error: BlockedError, request: RequestMessage): JsonObject => {
  const told = explanation(error);
  return {
    ...resultType(request),
    content: [{ type: "text", text: `${oneLine(error.message)}\n${told.next as string}` }],
    isError: true,
    _meta: { [blockedMark]: told },
  };
};

/** How anything else that is blocked is answered. */
export const blockedError = (error: BlockedError): RpcError =>
  rpcError(rpcCodes.blocked, oneLine(error.message), { [blockedMark]: explanation(error) });

const versionMark = "io.modelcontextprotocol/protocolVersion";

/** Does the request stand for itself, as since 2026-07-28, or is it of a session? */
export const isStateless = ({ params }: RequestMessage): boolean => {
  const meta = params?._meta;
  return typeof meta === "object" && meta !== null && typeof (meta as JsonObject)[versionMark] === "string";
};

/** Since 2026-07-28 a result says whether it is complete. */
const resultType = (request: RequestMessage): JsonObject => (isStateless(request) ? { resultType: "complete" } : {});
