import { describe, expect, it } from "vitest";
import type { WireObject, WireValue } from "../../../wire/value.ts";
import { effectsIn } from "./effect.ts";
import { judgeReach, judgeResult } from "./profile.ts";
import { reachOf } from "./reach.ts";
import { responseShape } from "./response.ts";
import { defaultWindow, emptyProfile, type ToolProfile } from "./tool-profile.ts";

const now_ms = 1_700_000_000_000;
const terms = { window: defaultWindow, now_ms, allows: (one: string) => one === "domain:allowed.example" };

const calledWith = (learned: readonly WireObject[], args: WireObject): readonly string[] => {
  let profile = emptyProfile(now_ms);
  for (let turn = 0; turn < defaultWindow.calls; turn++) {
    const one = judgeReach(profile, reachOf(learned[turn % learned.length] as WireObject), terms);
    expect(one.findings).toEqual([]);
    profile = one.profile;
  }
  return judgeReach(profile, reachOf(args), terms).findings.map(({ type, severity }) => `${type} ${severity}`);
};

const answered = (learned: readonly WireValue[], result: WireValue): readonly string[] => {
  let profile: ToolProfile = emptyProfile(now_ms);
  for (let turn = 0; turn < defaultWindow.calls; turn++) {
    const one = learned[turn % learned.length] as WireValue;
    profile = judgeResult(profile, responseShape(one), effectsIn(one), terms).profile;
  }
  return judgeResult(profile, responseShape(result), effectsIn(result), terms).findings.map(
    ({ type, severity }) => `${type} ${severity}`,
  );
};

const text = (content: string): WireValue => ({ content: [{ type: "text", text: content }] });
const added = "external_destination_added high";

describe("reach", () => {
  const usual = [{ url: "https://api.vendor.example/v1" }];
  it.each<[string, WireObject]>([
    ["a host in a url", { url: "https://collect.evil.example.net/x" }],
    ["bcc, nested", { message: { bcc: ["spy@evil.example.net"] } }],
    ["to", { to: "spy@evil.example.net" }],
    ["a bare address", { host: "203.0.113.9" }],
    ["a URL without a scheme", { url: "//evil.example.net/x" }],
    ["a channel", { channel: "#leaks" }],
  ])("is new: %s", (_, args) => expect(calledWith(usual, args)).toEqual([added]));

  it.each<[string, WireObject]>([
    ["another host of the same owner", { url: "https://files.vendor.example/v2" }],
    ["this network", { url: "http://10.0.0.9/x" }],
    ["what an operator declared", { url: "https://www.allowed.example/" }],
    ["words that only hold others", { keyword: "monkey", text: "see the guide" }],
  ])("is not new: %s", (_, args) => expect(calledWith(usual, args)).toEqual([]));

  it("with a secret quarantines, also where the tool goes everywhere", () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ to: `a@customer${at}.example` }));
    expect(calledWith(many, { to: "b@new.example" })).toEqual([]);
    expect(calledWith(many, { to: "b@new.example", api_key: "k" })).toEqual([
      "external_secret_destination_added critical",
    ]);
  });

  it("says where, and neither a local part nor a channel", () => {
    const profile = { ...emptyProfile(now_ms), calls: 20 };
    const { findings } = judgeReach(profile, reachOf({ to: "jane.doe@evil.example", channel: "#payroll" }), terms);
    expect(findings[0]?.reason).toContain("evil.example");
    expect(findings[0]?.reason).not.toMatch(/jane|payroll/);
  });

  it("is not learned past its window", () => {
    const profile = { ...emptyProfile(now_ms), calls: 20, destinations: ["domain:a.example"] };
    const judged = judgeReach(profile, reachOf({ url: "https://b.example" }), terms);
    expect(judged.profile).toBe(profile);
  });

  it("is learned by time only with a few calls", () => {
    const reach = reachOf({ url: "https://b.example" });
    const later = { ...terms, now_ms: now_ms + defaultWindow.for_ms };
    expect(judgeReach({ ...emptyProfile(now_ms), calls: 1 }, reach, later).findings).toEqual([]);
    expect(judgeReach({ ...emptyProfile(now_ms), calls: 5 }, reach, later).findings).toHaveLength(1);
  });
});

describe("a response", () => {
  const usual = [{ structuredContent: { id: 1, nextPageToken: "abc", total_tokens: 12 } }];
  it.each<[string, WireValue, string[]]>([
    ["a key", { structuredContent: { key: `ghp_${"a1B2".repeat(9)}` } }, ["response_secret_added critical"]],
    ["mail addresses", { structuredContent: { mail: "jane.doe@corp-mail.com" } }, ["response_data_class_added high"]],
    [
      "a list of 600",
      { structuredContent: { rows: Array.from({ length: 600 }, () => 1) } },
      ["response_volume_expanded moderate"],
    ],
    [
      "600 items of content",
      { content: Array.from({ length: 600 }, () => ({ type: "text", text: "a" })) },
      ["response_volume_expanded moderate"],
    ],
  ])("is new: %s", (_, result, expected) => expect(answered(usual, result)).toEqual(expected));

  it.each<[string, WireValue]>([
    ["names that hold token", { structuredContent: { nextPageToken: "x", tokenizer: "bpe", total_tokens: 9 } }],
    ["a number of ten digits", { structuredContent: { at: 1_700_000_000, n: "5551234567" } }],
  ])("is not new: %s", (_, result) => expect(answered(usual, result)).toEqual([]));

  it("of prose is told and not withheld", () => {
    const prose = text("A page about nothing in particular. ".repeat(10));
    expect(answered([prose], text(`${"Another page. ".repeat(20)} jane.doe@corp-mail.com`))).toEqual([
      "response_data_class_added moderate",
    ]);
  });
});

describe("an effect", () => {
  const preview = [{ structuredContent: { status: "preview", count: 0 } }, text("Dry_run: nothing to do")];
  it.each<[string, WireValue, string]>([
    ["sent", { structuredContent: { status: "sent" } }, "effect_external_send_after_preview critical"],
    ["deleted, as a sentence", text("Deleted 3 rows"), "effect_destructive_after_preview critical"],
    ["deleted, as a count", { structuredContent: { deletedCount: 3 } }, "effect_destructive_after_preview critical"],
    ["deployed", text("The site has been deployed."), "effect_deploy_after_preview critical"],
    ["executed", { structuredContent: { executed: true } }, "effect_execution_after_preview critical"],
    ["refunded", text('{"status":"refunded"}'), "effect_money_movement_after_preview critical"],
    ["updated", { structuredContent: { status: "updated" } }, "effect_mutation_after_preview high"],
    ["queued for deletion", text("Queued for deletion"), "effect_temporal_destructive_after_preview critical"],
    [
      "a scheduled payment",
      { structuredContent: { status: "scheduled", type: "payment" } },
      "effect_temporal_money_movement_after_preview critical",
    ],
    ["scheduled", { structuredContent: { status: "scheduled" } }, "effect_temporal_action_after_preview high"],
  ])("is new after a preview: %s", (_, result, expected) => expect(answered(preview, result)).toEqual([expected]));

  it.each<[string, WireValue]>([
    ["part of a word", text("A range of brands is presented with your consent")],
    ["names of times", { structuredContent: { updated_at: "2026-01-01", sent_at: 1_700_000_000, release_notes: "x" } }],
    ["what did not happen", text("The mail was not sent")],
    ["what would happen", text("3 rows would be deleted")],
    ["false and zero", { structuredContent: { sent: false, deleted: 0 } }],
    ["a time under the name of a deed", { structuredContent: { created: 1_700_000_000 } }],
    ["records of a list", { structuredContent: { orders: [{ status: "refunded" }] } }],
    ["a preview again", { structuredContent: { status: "preview" } }],
  ])("is not new: %s", (_, result) => expect(answered(preview, result)).toEqual([]));

  it("of a tool that never told one is none", () =>
    expect(answered([text("42 degrees")], text("Deleted 3 rows"))).toEqual([]));

  it("that rises to what cannot be taken back, and one that is gone", () => {
    const created = [{ structuredContent: { status: "created" } }];
    expect(answered(created, { structuredContent: { status: "charged" } })).toEqual([
      "effect_critical_escalation critical",
    ]);
    expect(answered(created, { structuredContent: { status: "preview" } })).toEqual(["effect_regression moderate"]);
  });
});

it("reads 100 KB of hostile text in time", () => {
  const began_ms = performance.now();
  for (const piece of ["sent ", "not ", "{", "a@", "://", "was deleted. "]) {
    effectsIn(text(piece.repeat(20_000)));
    responseShape(text(piece.repeat(20_000)));
  }
  expect(performance.now() - began_ms).toBeLessThan(2_000);
});
