import type { WireErrorCode } from "../../wire/errors.ts";
import { ExitCode } from "../exit-codes.ts";

/** Why an operator's request is refused. Nothing was changed. docs/errors.md lists them. */
export const operatorRefusals = Object.freeze({
  no_operators: "nobody is set up who may decide",
  not_an_operator: "the token belongs to no operator",
  operators_refused: "operators.json is damaged, or not a file of ours alone",
  not_found: "there is no approval or transaction of that id",
  not_stopped: "there is no stop of that id that stands",
  not_pending: "it was decided before, or its time is over",
  not_unknown: "what became of the transaction is known, or it is still under way",
  is_requester: "nobody decides about a call of their own",
  lacks_role: "the operator holds none of the roles that are asked for",
  voted_already: "the operator has answered before",
  scope_not_permitted: "the policy permits no grant of that scope",
  until_out_of_range: "the grant would stand longer than the policy permits, or is over already",
  expired: "the time of the request is over",
  changed_meanwhile: "somebody else changed it first; look again",
  no_server: "no MCP server of that name, and that credential, was ever reported",
  no_item: "the server has no such tool, prompt, resource or template",
  stale_surface: "what is there is not what was reviewed; nothing was approved",
  nothing_to_approve: "it is as it was approved",
  probes_not_enabled: "no operator said of the server that it is not for production and may be probed",
  no_safety_note: "a probe needs a note of why it harms nobody",
  probe_running: "the server is being probed already",
  store_unavailable: "the store cannot be read or written; nothing was decided",
} satisfies Record<string, string>);

export type OperatorRefusal = keyof typeof operatorRefusals;

/** What an error frame of the operator plane may say. */
export type OperatorErrorCode = OperatorRefusal | WireErrorCode;

/** One line: what was refused and what to do. Never a token, never an argument's value. */
export class OperatorRefused extends Error {
  override readonly name = "OperatorRefused";
  readonly code: OperatorRefusal;

  constructor(code: OperatorRefusal, message: string = operatorRefusals[code]) {
    super(message);
    this.code = code;
  }
}

const answersNo: ReadonlySet<OperatorErrorCode> = new Set([
  "not_found",
  "not_stopped",
  "not_pending",
  "not_unknown",
  "expired",
  "changed_meanwhile",
  "no_server",
  "no_item",
  "stale_surface",
  "nothing_to_approve",
]);

/** `no` where the question was a good one, `refused` where it was not to be asked. */
export const exitCodeOf = (code: OperatorErrorCode): ExitCode => {
  if (code === "store_unavailable" || code === "internal" || code === "bad_response") return ExitCode.storeUnavailable;
  return answersNo.has(code) ? ExitCode.no : ExitCode.refused;
};
