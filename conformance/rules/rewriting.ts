import { block, type Rule, remove, rewrite, rewriteResult } from "interlock/rules";

const count = (value: unknown): number => (typeof value === "number" ? value : 0);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** How rewrites meet: in order, each seeing the one before, judged again until nothing changes. */
export const rewritingRules: readonly Rule[] = [
  {
    id: "conformance.compose-first",
    actions: ["compose"],
    phase: "call",
    evaluate: () => rewrite({ first: 1 }, { reason: "first set", policyId: "p.compose-first", attributedTo: "first" }),
    examples: [{ event: { action: "compose", args: {} }, expect: "rewrite", becomes: { first: 1 } }],
  },
  {
    id: "conformance.compose-second",
    actions: ["compose"],
    phase: "call",
    evaluate: ({ args }) =>
      rewrite(
        { second: count(args.first) + 1 },
        { reason: "second set", policyId: "p.compose-second", attributedTo: "second" },
      ),
    examples: [
      { event: { action: "compose", args: { first: 1 } }, expect: "rewrite", becomes: { first: 1, second: 2 } },
    ],
  },
  {
    id: "conformance.later-rewrites",
    actions: ["judged_later"],
    phase: "call",
    evaluate: ({ args }) =>
      args.path === "/alias" ? rewrite({ path: "/danger" }, { reason: "alias resolved" }) : undefined,
    examples: [
      { event: { action: "judged_later", args: { path: "/alias" } }, expect: "rewrite", becomes: { path: "/danger" } },
      { event: { action: "judged_later", args: { path: "/safe" } }, expect: "silent" },
    ],
  },
  {
    id: "conformance.later-judges",
    actions: ["judged_later"],
    phase: "call",
    evaluate: ({ args }) =>
      args.path === "/danger" ? block("path is dangerous", { policyId: "p.later", attributedTo: "path" }) : undefined,
    examples: [
      { event: { action: "judged_later", args: { path: "/danger" } }, expect: "block" },
      { event: { action: "judged_later", args: { path: "/alias" } }, expect: "silent" },
    ],
  },
  {
    id: "conformance.earlier-judges",
    actions: ["judged_earlier"],
    phase: "call",
    evaluate: ({ args }) =>
      args.path === "/danger" ? block("path is dangerous", { policyId: "p.earlier", attributedTo: "path" }) : undefined,
    examples: [
      { event: { action: "judged_earlier", args: { path: "/danger" } }, expect: "block" },
      { event: { action: "judged_earlier", args: { path: "/alias" } }, expect: "silent" },
    ],
  },
  {
    id: "conformance.earlier-rewrites",
    actions: ["judged_earlier"],
    phase: "call",
    evaluate: ({ args }) =>
      args.path === "/alias" ? rewrite({ path: "/danger" }, { reason: "alias resolved" }) : undefined,
    examples: [
      {
        event: { action: "judged_earlier", args: { path: "/alias" } },
        expect: "rewrite",
        becomes: { path: "/danger" },
      },
      { event: { action: "judged_earlier", args: { path: "/safe" } }, expect: "silent" },
    ],
  },
  {
    id: "conformance.settles",
    actions: ["settles"],
    phase: "call",
    evaluate: ({ args }) =>
      count(args.n) < 2 ? rewrite({ n: count(args.n) + 1 }, { reason: "counted", policyId: "p.settles" }) : undefined,
    examples: [
      { event: { action: "settles", args: { n: 0 } }, expect: "rewrite", becomes: { n: 1 } },
      { event: { action: "settles", args: { n: 2 } }, expect: "silent" },
    ],
  },
  {
    id: "conformance.never-settles",
    actions: ["never_settles"],
    phase: "call",
    evaluate: ({ args }) => rewrite({ n: count(args.n) + 1 }, { reason: "counted", policyId: "p.never-settles" }),
    examples: [{ event: { action: "never_settles", args: { n: 0 } }, expect: "rewrite", becomes: { n: 1 } }],
  },
  {
    id: "conformance.drop-key",
    actions: ["drop_key"],
    phase: "call",
    evaluate: ({ args }) =>
      Object.hasOwn(args, "secret")
        ? rewrite({ secret: remove }, { reason: "secret taken away", policyId: "p.drop-key", attributedTo: "secret" })
        : undefined,
    examples: [
      {
        event: { action: "drop_key", args: { secret: "s", title: "a" } },
        expect: "rewrite",
        becomes: { title: "a" },
      },
      { event: { action: "drop_key", args: { title: "a" } }, expect: "silent" },
    ],
  },
  {
    id: "conformance.unchanged",
    actions: ["unchanged"],
    phase: "call",
    evaluate: ({ args }) => rewrite({ path: args.path }, { reason: "path kept", policyId: "p.unchanged" }),
    examples: [{ event: { action: "unchanged", args: { path: "a" } }, expect: "rewrite", becomes: { path: "a" } }],
  },
  {
    id: "conformance.rewrite-opaque",
    actions: ["rewrite_opaque"],
    phase: "call",
    evaluate: ({ args }) =>
      args.armed === true ? rewrite({ when: new Date(0) }, { reason: "untransmittable" }) : undefined,
    examples: [{ event: { action: "rewrite_opaque", args: { armed: false } }, expect: "silent" }],
  },
  {
    id: "conformance.rewrite-infinite",
    actions: ["rewrite_infinite"],
    phase: "call",
    evaluate: ({ args }) =>
      args.armed === true ? rewrite({ amount: Number.POSITIVE_INFINITY }, { reason: "untransmittable" }) : undefined,
    examples: [{ event: { action: "rewrite_infinite", args: { armed: false } }, expect: "silent" }],
  },
  {
    id: "conformance.result-first-redactor",
    actions: ["read_two"],
    phase: "result",
    evaluate: ({ args }) =>
      text(args.result).includes("AAA")
        ? rewriteResult(text(args.result).replaceAll("AAA", "[a]"), { reason: "a redacted", policyId: "p.redact-a" })
        : undefined,
    examples: [
      {
        event: { action: "read_two", args: { result: "AAA BBB" }, phase: "result" },
        expect: "rewrite",
        becomes: "[a] BBB",
      },
      { event: { action: "read_two", args: { result: "none" }, phase: "result" }, expect: "silent" },
    ],
  },
  {
    id: "conformance.result-second-redactor",
    actions: ["read_two"],
    phase: "result",
    evaluate: ({ args }) =>
      text(args.result).includes("BBB")
        ? rewriteResult(text(args.result).replaceAll("BBB", "[b]"), { reason: "b redacted", policyId: "p.redact-b" })
        : undefined,
    examples: [
      {
        event: { action: "read_two", args: { result: "[a] BBB" }, phase: "result" },
        expect: "rewrite",
        becomes: "[a] [b]",
      },
      { event: { action: "read_two", args: { result: "none" }, phase: "result" }, expect: "silent" },
    ],
  },
  {
    id: "conformance.proto-key",
    actions: ["proto_key"],
    phase: "call",
    // JSON.parse makes an own key of this name; an object literal would set the prototype.
    evaluate: () => rewrite(JSON.parse('{"__proto__":{"a":1}}'), { reason: "key set", policyId: "p.proto-key" }),
    examples: [{ event: { action: "proto_key", args: {} }, expect: "rewrite" }],
  },
  {
    id: "conformance.result-layers-wrap",
    actions: ["read_layers"],
    phase: "result",
    evaluate: ({ args }) =>
      args.result === "wrap" ? rewriteResult({ secret: "s", title: "a" }, { reason: "wrapped" }) : undefined,
    examples: [{ event: { action: "read_layers", args: { result: "none" }, phase: "result" }, expect: "silent" }],
  },
  {
    id: "conformance.result-layers-strip",
    actions: ["read_layers"],
    phase: "result",
    evaluate: ({ args }) =>
      Object.hasOwn(args, "secret")
        ? rewriteResult({ title: args.title }, { reason: "secret stripped", policyId: "p.layers" })
        : undefined,
    examples: [{ event: { action: "read_layers", args: { result: "none" }, phase: "result" }, expect: "silent" }],
  },
  {
    id: "conformance.rewrite-large",
    actions: ["rewrite_large"],
    phase: "call",
    evaluate: ({ args }) =>
      args.armed === true ? rewrite({ pad: "x".repeat(9 * 1024 * 1024) }, { reason: "padded" }) : undefined,
    examples: [{ event: { action: "rewrite_large", args: { armed: false } }, expect: "silent" }],
  },
];
