/**
 * What a refusal that the relay itself makes is called, in `_meta["interlock/blocked"].code`; any other code there is the daemon's
 * (docs/errors.md).
 */
export const blockCodes = Object.freeze({
  no_verdict: "the guard gave no verdict: the daemon cannot be reached, or refused what it was asked",
  result_too_large: "the result is longer than can be judged",
  not_a_message: "the server's answer is no strict JSON-RPC message, or is longer than one may be",
  surface_unlisted: "what the server lists cannot be read, or is longer than can be reported: nothing of it is called",
  invalid_call: "the call names no tool, prompt or resource",
} as const);
export type BlockCode = keyof typeof blockCodes;
