import { block } from "../../../rules/answers.ts";
import type { Rule } from "../../../rules/types.ts";
import type { WireValue } from "../../../wire/value.ts";
import { isOwnThread } from "./own-threads.ts";
import type { Protected } from "./places.ts";

/** Linux has no number as high as this. */
const beyondAny = 2 ** 22;

/** The daemon is not signalled: not by its number or a thread's, not in its group, not among all. To ask whether it is there (signal 0) is free. */
export const daemonRule = (itself: Protected): Rule =>
  Object.freeze<Rule>({
    id: "interlock.self.daemon",
    actions: ["process.kill", "process._debugProcess"],
    phase: "call",
    evaluate({ action, args: { pid, signal } }) {
      if (action === "process.kill" && signal === 0) return undefined;
      return reaches(pid, itself) ? block("it would signal the daemon", { attributedTo: "pid" }) : undefined;
    },
    examples: [
      { event: { action: "process.kill", args: { pid: itself.pid, signal: "SIGKILL" } }, expect: "block" },
      { event: { action: "process.kill", args: { pid: String(itself.pid) } }, expect: "block" },
      { event: { action: "process.kill", args: { pid: -itself.pid, signal: 15 } }, expect: "block" },
      { event: { action: "process.kill", args: { pid: -1, signal: 15 } }, expect: "block" },
      { event: { action: "process.kill", args: { pid: 0, signal: "SIGTERM" } }, expect: "block" },
      { event: { action: "process._debugProcess", args: { pid: itself.pid } }, expect: "block" },
      { event: { action: "process.kill", args: { pid: itself.pid, signal: 0 } }, expect: "silent" },
      { event: { action: "process.kill", args: { pid: itself.pid + beyondAny, signal: "SIGTERM" } }, expect: "silent" },
    ],
  });

/**
 * Would a signal to this number reach the daemon? 0 is the sender's own group, which is the daemon's where one shell started
 * both; -1 is everybody. What is no number Node refuses by itself.
 */
export const reaches = (pid: WireValue | undefined, { pid: own, group }: Protected): boolean => {
  const given = typeof pid === "number" || typeof pid === "string" ? Number(pid) : Number.NaN;
  if (Number.isNaN(given)) return false;
  // The kernel is given 32 bits of it.
  const number = given | 0;
  return (
    number === own ||
    number === 0 ||
    number === -1 ||
    number === -own ||
    (group !== null && number === -group) ||
    isOwnThread(number)
  );
};
