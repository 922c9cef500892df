import type { FallbackPolicy } from "./policy.ts";

/** May something be decided by it at this moment of the client's clock? */
export const validityOf = (
  { not_before_ms, not_after_ms }: FallbackPolicy,
  now_ms: number,
): "valid" | "not_yet_valid" | "expired" => {
  if (now_ms >= not_after_ms) return "expired";
  return not_before_ms !== null && now_ms < not_before_ms ? "not_yet_valid" : "valid";
};
