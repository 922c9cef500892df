import { describe, expect, it } from "vitest";
import type { WireObject } from "../../../../wire/value.ts";
import { claimFindings, claimsOf } from "./claims.ts";
import { effectsOfName } from "./effects.ts";

const found = (name: string, before: WireObject, after: WireObject): readonly string[] =>
  claimFindings(claimsOf(before), claimsOf(after), effectsOfName(name)).map(
    ({ type, severity }) => `${severity} ${type}`,
  );
const hints = (annotations: WireObject): WireObject => ({ annotations });
const meta = (interlock: WireObject): WireObject => ({ _meta: { interlock } });

describe("what a server says of its own tool", () => {
  it("is not held where it is lost, or said for the first time", () => {
    expect(found("delete_branch", hints({ destructiveHint: true }), {})).toEqual([]);
    expect(found("read_file", hints({ readOnlyHint: true }), {})).toEqual([]);
    expect(found("read_file", {}, hints({ readOnlyHint: true }))).toEqual([]);
    expect(found("delete_branch", {}, hints({ destructiveHint: true }))).toEqual([]);
  });

  it("cannot reassure", () => {
    expect(found("anything", hints({ destructiveHint: true }), hints({ destructiveHint: false }))).toEqual([
      "critical metadata_downgraded",
    ]);
    expect(found("delete_branch", hints({ readOnlyHint: false }), hints({ readOnlyHint: true }))).toEqual([
      "high metadata_downgraded",
    ]);
    expect(found("x", meta({ side_effect: "destructive" }), meta({ side_effect: "read_only" }))).toEqual([
      "high metadata_downgraded",
    ]);
  });

  it("frightens: another effect, another scope, another identity, something destroyed", () => {
    expect(found("read_file", hints({ readOnlyHint: true }), hints({ readOnlyHint: false }))).toEqual([
      "high side_effect_escalated",
    ]);
    expect(
      found(
        "x",
        hints({ destructiveHint: false, readOnlyHint: true }),
        hints({ destructiveHint: true, readOnlyHint: true }),
      ),
    ).toEqual(["critical side_effect_escalated"]);
    expect(found("x", hints({ openWorldHint: false }), hints({ openWorldHint: true }))).toEqual([
      "high externality_escalated",
    ]);
    expect(found("x", meta({ effects: ["read"] }), meta({ effects: ["read", "export"] }))).toEqual([
      "critical effect_escalated",
    ]);
    expect(found("x", {}, { _meta: { "security.requiredScopes": ["repo:write"] } })).toEqual(["high scope_escalated"]);
    expect(found("x", {}, { _meta: { "security.requiredScopes": ["repo:read"] } })).toEqual([
      "moderate scope_escalated",
    ]);
    expect(
      found("x", meta({ identity_mode: "authenticated_user" }), meta({ identity_mode: "service_account" })),
    ).toEqual(["high identity_mode_escalated"]);
    expect(found("read_file", {}, meta({ side_effect: "destructive" }))).toEqual(["critical side_effect_escalated"]);
  });
});

describe("what a tool does by its name", () => {
  it("is told by whole words", () => {
    expect([...effectsOfName("delete_user")]).toEqual(["delete"]);
    expect([...effectsOfName("getUserAccount")]).toEqual(["read"]);
    expect([...effectsOfName("updated_at")]).toEqual([]);
    expect([...effectsOfName("brunch")]).toEqual([]);
    expect([...effectsOfName("send-email")]).toEqual(["message"]);
  });
});
