import { block, type Rule, rewrite, rewriteResult } from "interlock/rules";

/** Says of which kind a value is for a rule, so that a case can tell bytes from an object that looks like bytes. */
export const describe = (value: unknown): string => {
  if (value === null) return "null";
  if (value === undefined) return "absent";
  if (value instanceof Uint8Array) return `bytes(${Buffer.from(value).toString("hex")})`;
  if (Array.isArray(value)) return `[${value.map(describe).join(",")}]`;
  if (typeof value !== "object") return typeof value;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${describe(member)}`);
  return `{${members.sort().join(",")}}`;
};

/** A caller's clock must not reach a rule; a minute is far more than a machine's clock moves during one call. */
const maxClockDistance_s = 60;

/** What the daemon understood of a frame: its values, its identity fields, its clock, its phase. */
export const contentRules: readonly Rule[] = [
  {
    id: "conformance.echo",
    actions: ["echo"],
    phase: "result",
    evaluate: ({ args }) =>
      Object.hasOwn(args, "value") ? rewriteResult(args.value, { reason: "echoed", policyId: "p.echo" }) : undefined,
    examples: [
      { event: { action: "echo", args: { value: [1, "a"] }, phase: "result" }, expect: "rewrite", becomes: [1, "a"] },
      { event: { action: "echo", args: {}, phase: "result" }, expect: "silent" },
    ],
  },
  {
    id: "conformance.mirror",
    actions: ["mirror"],
    phase: "call",
    evaluate: ({ args }) => rewrite({ copy: args.value }, { reason: "mirrored", policyId: "p.mirror" }),
    examples: [{ event: { action: "mirror", args: { value: 1 } }, expect: "rewrite", becomes: { value: 1, copy: 1 } }],
  },
  {
    id: "conformance.describe",
    actions: ["describe"],
    phase: "call",
    evaluate: ({ args }) => rewrite({ seen: describe(args.value) }, { reason: "described", policyId: "p.describe" }),
    examples: [
      {
        event: { action: "describe", args: { value: new Uint8Array([0xff]) } },
        expect: "rewrite",
        becomes: { value: new Uint8Array([0xff]), seen: "bytes(ff)" },
      },
    ],
  },
  {
    id: "conformance.span",
    actions: ["span"],
    phase: "call",
    evaluate: ({ span_id }) =>
      span_id === "forbidden-span" ? block("span is forbidden", { policyId: "p.span" }) : undefined,
    examples: [{ event: { action: "span", args: {} }, expect: "silent" }],
  },
  {
    id: "conformance.clock",
    actions: ["clock"],
    phase: "call",
    evaluate: ({ ts }, { now_ms }) =>
      Math.abs(ts - now_ms / 1000) > maxClockDistance_s
        ? block("the caller's clock reached a rule", { policyId: "p.clock" })
        : undefined,
    examples: [{ event: { action: "clock", args: {} }, expect: "silent" }],
  },
  {
    id: "conformance.phase-call",
    actions: ["phase"],
    phase: "call",
    evaluate: () => block("judged as a call", { policyId: "p.phase" }),
    examples: [{ event: { action: "phase", args: {} }, expect: "block" }],
  },
  {
    id: "conformance.phase-result",
    actions: ["phase"],
    phase: "result",
    evaluate: () => block("judged as a result", { policyId: "p.phase" }),
    examples: [{ event: { action: "phase", args: {}, phase: "result" }, expect: "block" }],
  },
];
