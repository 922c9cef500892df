import { block, type Rule, rewrite, rewriteResult } from "interlock/rules";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The twelve rules of wire v1's own corpus. Their order is part of the contract: the first block is the cause. */
export const protocolRules: readonly Rule[] = [
  {
    id: "conformance.rm-rf",
    actions: ["rm_rf"],
    phase: "call",
    evaluate: () => block("tool not permitted", { policyId: null }),
    examples: [{ event: { action: "rm_rf", args: {} }, expect: "block" }],
  },
  {
    id: "conformance.no-etc",
    actions: ["read_file"],
    phase: "call",
    evaluate: ({ args }) =>
      text(args.path).includes("etc/passwd")
        ? block("etc is off limits", { policyId: "p.no-etc", attributedTo: "path" })
        : undefined,
    examples: [
      { event: { action: "read_file", args: { path: "/etc/passwd" } }, expect: "block" },
      { event: { action: "read_file", args: { path: "/tmp/notes" } }, expect: "silent" },
    ],
  },
  {
    id: "conformance.quarantine",
    actions: ["write_file"],
    phase: "call",
    evaluate: ({ args }) =>
      text(args.path).startsWith("/etc/")
        ? rewrite(
            { path: "/tmp/quarantine" },
            { reason: "path quarantined", policyId: "p.quarantine", attributedTo: "path" },
          )
        : undefined,
    examples: [
      {
        event: { action: "write_file", args: { path: "/etc/hosts" } },
        expect: "rewrite",
        becomes: { path: "/tmp/quarantine" },
      },
      { event: { action: "write_file", args: { path: "/tmp/quarantine" } }, expect: "silent" },
    ],
  },
  {
    id: "conformance.untrusted-principal",
    actions: ["*"],
    phase: "call",
    evaluate: ({ principal }) =>
      principal === "untrusted-agent" ? block("untrusted principal", { policyId: "p.untrusted-principal" }) : undefined,
    examples: [
      { event: { action: "ping", args: {}, principal: "untrusted-agent" }, expect: "block" },
      { event: { action: "ping", args: {} }, expect: "silent" },
    ],
  },
  {
    id: "conformance.root-agent-parent",
    actions: ["*"],
    phase: "call",
    evaluate: ({ parent_principal }) =>
      parent_principal === "root-agent"
        ? block("spawned by root-agent", { policyId: "p.root-agent-parent" })
        : undefined,
    examples: [
      { event: { action: "ping", args: {}, parent_principal: "root-agent" }, expect: "block" },
      { event: { action: "ping", args: {} }, expect: "silent" },
    ],
  },
  {
    id: "conformance.call-side",
    actions: ["read_file"],
    phase: "call",
    evaluate: () => block("read_file on the call side is denied", { policyId: "p.call-side" }),
    examples: [{ event: { action: "read_file", args: { path: "/tmp/notes" } }, expect: "block" }],
  },
  {
    id: "conformance.result-redact",
    actions: ["fetch_url"],
    phase: "result",
    evaluate: () =>
      rewriteResult("redacted", { reason: "secret in result", policyId: "p.result-redact", attributedTo: "result" }),
    examples: [
      {
        event: { action: "fetch_url", args: { result: "token secret" }, phase: "result" },
        expect: "rewrite",
        becomes: "redacted",
      },
    ],
  },
  {
    id: "conformance.result-strip",
    actions: ["read_dict"],
    phase: "result",
    evaluate: ({ args }) =>
      Object.hasOwn(args, "secret")
        ? rewriteResult(
            { title: args.title },
            { reason: "secret stripped", policyId: "p.result-strip", attributedTo: "secret" },
          )
        : undefined,
    examples: [
      {
        event: { action: "read_dict", args: { secret: "s", title: "a" }, phase: "result" },
        expect: "rewrite",
        becomes: { title: "a" },
      },
      { event: { action: "read_dict", args: { title: "a" }, phase: "result" }, expect: "silent" },
    ],
  },
  {
    id: "conformance.result-binary",
    actions: ["read_binary"],
    phase: "result",
    evaluate: () =>
      rewriteResult(new Uint8Array([0x00, 0x01, 0xff]), { reason: "binary replaced", policyId: "p.result-binary" }),
    examples: [
      {
        event: { action: "read_binary", args: { result: "ignored" }, phase: "result" },
        expect: "rewrite",
        becomes: new Uint8Array([0x00, 0x01, 0xff]),
      },
    ],
  },
  {
    id: "conformance.result-set",
    actions: ["read_set"],
    phase: "result",
    evaluate: () => rewriteResult(new Set([3, 1, 2]), { reason: "set normalised", policyId: "p.result-set" }),
    examples: [
      {
        event: { action: "read_set", args: { result: "ignored" }, phase: "result" },
        expect: "rewrite",
        becomes: [1, 2, 3],
      },
    ],
  },
  {
    id: "conformance.result-null",
    actions: ["read_null"],
    phase: "result",
    evaluate: () => rewriteResult(null, { reason: "no replacement", policyId: "p.result-null" }),
    examples: [{ event: { action: "read_null", args: { result: "ignored" }, phase: "result" }, expect: "rewrite" }],
  },
  {
    id: "conformance.result-opaque",
    actions: ["read_opaque"],
    phase: "result",
    // A date has no JSON form of its own, and must not be given one by accident.
    evaluate: ({ args }) =>
      args.result === "ignored"
        ? rewriteResult(new Date(0), { reason: "untransmittable", policyId: "p.result-opaque" })
        : undefined,
    examples: [{ event: { action: "read_opaque", args: { result: "kept" }, phase: "result" }, expect: "silent" }],
  },
];
