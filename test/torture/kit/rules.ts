/**
 * What the daemons of these tests judge by: one action is allowed, one is rewritten, one waits before it allows, one
 * hangs where it is armed, and everything else, results included, is blocked.
 */
export const tortureRules = `
import { setTimeout as sleep } from "node:timers/promises";
import { allow, block, defineRules, rewrite } from "interlock/rules";

const known = ["torture.allowed", "torture.rewritten", "torture.slow", "torture.hangs"];
const others = ({ action }) => (known.includes(action) ? undefined : block("not one of ours"));

export default defineRules({
  id: "torture",
  version: 1,
  deadline_ms: 2000,
  rules: [
    {
      id: "torture.allow",
      actions: ["torture.allowed"],
      phase: "call",
      evaluate: () => allow(),
      examples: [{ event: { action: "torture.allowed", args: {} }, expect: "allow" }],
    },
    {
      id: "torture.rewrite",
      actions: ["torture.rewritten"],
      phase: "call",
      evaluate: () => rewrite({ safe: true }),
      examples: [{ event: { action: "torture.rewritten", args: {} }, expect: "rewrite", becomes: { safe: true } }],
    },
    {
      id: "torture.slow",
      actions: ["torture.slow"],
      phase: "call",
      async evaluate({ args }) {
        await sleep(typeof args.wait_ms === "number" ? args.wait_ms : 50);
        return allow();
      },
      examples: [{ event: { action: "torture.slow", args: {} }, expect: "allow" }],
    },
    {
      id: "torture.hang",
      actions: ["torture.hangs"],
      phase: "call",
      evaluate: ({ args }) => {
        while (args.armed === true);
        return allow();
      },
      examples: [{ event: { action: "torture.hangs", args: {} }, expect: "allow" }],
    },
    {
      id: "torture.others",
      actions: ["*"],
      phase: "call",
      evaluate: others,
      examples: [{ event: { action: "torture.unknown", args: {} }, expect: "block" }],
    },
    {
      id: "torture.results",
      actions: ["*"],
      phase: "result",
      evaluate: () => block("no result is let through"),
      examples: [{ event: { action: "torture.unknown", args: {}, phase: "result" }, expect: "block" }],
    },
  ],
});
`;
