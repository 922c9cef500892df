import type { CommitResult } from "./record.ts";

/** Calls that cannot be written down can come at any rate; what is said of them does not. */
const quiet_ms = 5_000;

/**
 * Says once that receipts are not durable, by what, and once that they are again. Each such call is blocked and tells its
 * client no more than that: the cause is the operator's to read.
 */
export const durabilityNotice = (
  log: (line: string) => void,
  now_ms: () => number,
): ((results: readonly CommitResult[]) => void) => {
  let isAway = false;
  let quietUntil_ms = Number.NEGATIVE_INFINITY;
  return (results) => {
    for (const result of results) {
      if (result.outcome === "not_durable" && !isAway && now_ms() >= quietUntil_ms) {
        isAway = true;
        log(
          `store: a receipt could not be made durable (${result.error}); calls are blocked until it takes them again`,
        );
      } else if (result.outcome === "durable" && isAway) {
        isAway = false;
        quietUntil_ms = now_ms() + quiet_ms;
        log("store: receipts are durable again");
      }
    }
  };
};
