import { block, defineRules, type Rule, rewrite } from "interlock/rules";
import { withoutTypes } from "./rules/without-types.ts";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

interface Marked {
  readonly id: string;
  readonly action: string;
  readonly argument: string;
  readonly marker: string;
}

const blocking = ({ id, action, argument, marker }: Marked, reason: string): Rule => ({
  id: `effects.${id}`,
  actions: [action],
  phase: "call",
  evaluate: ({ args }) =>
    text(args[argument]).includes(marker) ? block(reason, { policyId: `p.${id}`, attributedTo: argument }) : undefined,
  examples: [
    { event: { action, args: { [argument]: `a ${marker} b` } }, expect: "block" },
    { event: { action, args: { [argument]: "plain" } }, expect: "silent" },
  ],
});

const redirecting = ({ id, action, argument, marker }: Marked, becomes: string, reason: string): Rule => ({
  id: `effects.${id}`,
  actions: [action],
  phase: "call",
  evaluate: ({ args }) =>
    text(args[argument]).includes(marker)
      ? rewrite(
          { [argument]: text(args[argument]).replaceAll(marker, becomes) },
          { reason, policyId: `p.${id}`, attributedTo: argument },
        )
      : undefined,
  examples: [
    {
      event: { action, args: { [argument]: `a ${marker} b` } },
      expect: "rewrite",
      becomes: { [argument]: `a ${becomes} b` },
    },
    { event: { action, args: { [argument]: "plain" } }, expect: "silent" },
  ],
});

/** The protocol's second fixture: rules for a client that guards files, commands and requests. */
export default defineRules({
  id: "conformance-effects",
  version: 1,
  rules: withoutTypes([
    blocking({ id: "fs-block", action: "fs.readFile", argument: "path", marker: "blockme" }, "this path is off limits"),
    redirecting(
      { id: "fs-redirect", action: "fs.readFile", argument: "path", marker: "redirectme" },
      "target",
      "path redirected",
    ),
    blocking(
      { id: "exec-block", action: "child_process.exec", argument: "command", marker: "rm -rf" },
      "destructive command",
    ),
    redirecting(
      { id: "exec-rewrite", action: "child_process.exec", argument: "command", marker: "echo a" },
      "echo b",
      "command rewritten",
    ),
    blocking({ id: "fetch-block", action: "http.fetch", argument: "url", marker: "blockme" }, "egress blocked"),
    redirecting(
      { id: "fetch-redirect", action: "http.fetch", argument: "url", marker: "redirectme" },
      "target",
      "egress redirected",
    ),
  ]),
});
