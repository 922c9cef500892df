import { setTimeout as sleep } from "node:timers/promises";
import { block, type Rule } from "interlock/rules";

/** Longer than the default deadline of a rule set, 250 ms. */
const forever_ms = 3_600_000;

const armed = (args: { readonly [key: string]: unknown }): boolean => args.armed === true;

/**
 * Rules that break. Each breaks only when its event says `armed: true`, so that its example can hold when the set is
 * loaded. A broken rule costs its caller a BLOCK, never an allow and never the daemon.
 */
export const failingRules: readonly Rule[] = [
  {
    id: "conformance.raise",
    actions: ["raise"],
    phase: "call",
    evaluate: ({ args }) => {
      if (armed(args)) throw new RangeError(`message with ${String(args.token)}`);
      return undefined;
    },
    examples: [{ event: { action: "raise", args: { armed: false } }, expect: "silent" }],
  },
  {
    id: "conformance.raise-async",
    actions: ["raise_async"],
    phase: "call",
    evaluate: async ({ args }) => {
      await sleep(1);
      if (armed(args)) throw new RangeError(`message with ${String(args.token)}`);
      return undefined;
    },
    examples: [{ event: { action: "raise_async", args: { armed: false } }, expect: "silent" }],
  },
  {
    id: "conformance.raise-text",
    actions: ["raise_text"],
    phase: "call",
    evaluate: ({ args }) => {
      if (armed(args)) throw `text with ${String(args.token)}`;
      return undefined;
    },
    examples: [{ event: { action: "raise_text", args: { armed: false } }, expect: "silent" }],
  },
  {
    id: "conformance.raise-result",
    actions: ["raise_result"],
    phase: "result",
    evaluate: ({ args }) => {
      if (armed(args)) throw new RangeError(`message with ${String(args.token)}`);
      return undefined;
    },
    examples: [{ event: { action: "raise_result", args: { armed: false }, phase: "result" }, expect: "silent" }],
  },
  {
    id: "conformance.junk-answer",
    actions: ["junk_answer"],
    phase: "call",
    // What a rule written without types may return; `JSON.parse` is how this file says it to the compiler.
    evaluate: ({ args }) => (armed(args) ? JSON.parse(String(args.answer)) : undefined),
    examples: [{ event: { action: "junk_answer", args: { armed: false } }, expect: "silent" }],
  },
  {
    id: "conformance.mutate",
    actions: ["mutate"],
    phase: "call",
    evaluate: ({ args }) => {
      if (armed(args)) Object.assign(args, { path: "/changed" });
      return undefined;
    },
    examples: [{ event: { action: "mutate", args: { armed: false } }, expect: "silent" }],
  },
  {
    id: "conformance.slow",
    actions: ["slow"],
    phase: "call",
    evaluate: async ({ args }) => {
      if (!armed(args)) return undefined;
      await sleep(80);
      return block("slow but sure", { policyId: "p.slow" });
    },
    examples: [{ event: { action: "slow", args: { armed: false } }, expect: "silent" }],
  },
  {
    id: "conformance.hang",
    actions: ["hang"],
    phase: "call",
    evaluate: async ({ args }) => {
      if (armed(args)) await sleep(forever_ms, undefined, { ref: false });
      return undefined;
    },
    examples: [{ event: { action: "hang", args: { armed: false } }, expect: "silent" }],
  },
  {
    id: "conformance.loop",
    actions: ["loop"],
    phase: "call",
    evaluate: ({ args }) => {
      while (armed(args));
      return undefined;
    },
    examples: [{ event: { action: "loop", args: { armed: false } }, expect: "silent" }],
  },
];
