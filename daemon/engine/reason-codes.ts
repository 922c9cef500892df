/**
 * The daemon's catalogue of reason codes. Each is in a receipt (`code`) and, where `details` was negotiated, in the
 * answer. docs/errors.md lists them; a test holds the two equal.
 */
export const reasonCodes = Object.freeze({
  allowed: "a rule checked the call and is satisfied",
  unknown_allowed: "no rule had an opinion and the setting `unknown` is `allow`",
  unknown_blocked: "no rule had an opinion and the setting `unknown` is `block`",
  unknown_escalated: "no rule had an opinion and the setting `unknown` is `escalate`",
  rewritten: "a rule rewrote the call or the result",
  escalated: "a rule asked for a human's yes; the client's own `onEscalate` may give it",
  escalated_operator: "a rule asked for an operator's yes; the client can only request it",
  rule_blocked: "a rule blocked",
  rule_threw: "a rule threw, or answered something that is not an answer",
  rule_overran: "a rule ran past its deadline",
  rule_crashed: "a rule ended the engine, such as by exhausting its memory",
  rule_suspended: "a rule overran too often and is suspended until the rules are reloaded",
  request_overran: "this exact call made a rule overrun before; it is not run again",
  rewrite_unsettled: "rewrites still changed the call in the third pass",
  rewrite_removes_key: "a rewrite removes an argument and the client cannot apply that",
  unrepresentable: "a rewrite has no JSON form",
  result_escalated: "a rule escalated a result, which is never escalated",
  resend_mismatch: "a request id was used for two different questions",
  engine_stalled: "the engine stopped responding while this request was judged",
  engine_failed: "the engine failed while it judged; nothing is known of the call",
  engine_disabled: "the engine restarted too often and blocks everything",
  answer_too_large: "a rewrite does not fit a frame",
  ledger_unavailable: "the receipt could not be made durable",
  draining: "the daemon is stopping",
} satisfies Record<string, string>);

export type ReasonCode = keyof typeof reasonCodes;
