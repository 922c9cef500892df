import { describe, expect, it } from "vitest";
import type { ServerIdentity } from "../surface.ts";
import { judgeProvenance } from "./judge.ts";
import { isBelowSource, provenanceSchema } from "./policy.ts";

const sha = (digit: string): string => `sha256:${digit.repeat(64)}`;
const integrity = `sha512-${"A".repeat(86)}==`;
const of = (change: Partial<Extract<ServerIdentity, { kind: "stdio" }>> = {}): ServerIdentity => ({
  kind: "stdio",
  command: "npx",
  args: sha("0"),
  executable: sha("1"),
  package: { registry: "https://registry.npmjs.org", name: "@acme/mcp", version: "1.2.0", integrity },
  ...change,
});
const at = (url: string): ServerIdentity => ({ kind: "http", url, tls_key: null });
const judged = (policy: object, identity: ServerIdentity | null): string =>
  judgeProvenance(provenanceSchema.parse(policy), identity).status;

const npm = { allowed_registries: ["https://registry.npmjs.org"] };

describe("provenance", () => {
  it.each<[string, object, ServerIdentity | null, string]>([
    ["no policy, nothing resolved", {}, null, "allowed"],
    ["a registry that is allowed", npm, of(), "allowed"],
    ["another registry", { allowed_registries: ["https://npm.acme.example"] }, of(), "denied"],
    ["nothing resolved", npm, null, "denied"],
    ["nothing resolved, and that is allowed", { ...npm, unknown: "allow" }, null, "monitor"],
    ["a program of no package", npm, of({ package: null }), "denied"],
    [
      "a program of no package, pinned by its bytes",
      { ...npm, pinned_hashes: { npx: sha("1") } },
      of({ package: null }),
      "allowed",
    ],
    ["the same with other bytes", { ...npm, pinned_hashes: { npx: sha("2") } }, of({ package: null }), "quarantine"],
    ["the pinned version", { pinned_versions: { "@acme/mcp": "1.2.0" } }, of(), "allowed"],
    ["another version", { pinned_versions: { "@acme/mcp": "1.1.0" } }, of(), "quarantine"],
    ["the pinned integrity", { pinned_hashes: { "@acme/mcp": integrity } }, of(), "allowed"],
    [
      "a pinned executable that could not be read",
      { pinned_hashes: { "@acme/mcp": sha("1") } },
      of({ executable: null }),
      "quarantine",
    ],
    [
      "a name that every object has",
      { pinned_versions: {} },
      of({ package: { registry: "r", name: "constructor", version: "1", integrity: null } }),
      "allowed",
    ],
    [
      "a URL below a source",
      { allowed_source_urls: ["https://mcp.acme.example/v1"] },
      at("https://mcp.acme.example/v1/mcp"),
      "allowed",
    ],
    [
      "a URL beside it",
      { allowed_source_urls: ["https://mcp.acme.example/v1"] },
      at("https://mcp.acme.example/v10"),
      "denied",
    ],
    [
      "another host that begins alike",
      { allowed_source_urls: ["https://mcp.acme.example"] },
      at("https://mcp.acme.example.evil.example/"),
      "denied",
    ],
  ])("%s", (_, policy, identity, status) => expect(judged(policy, identity)).toBe(status));

  it.each([
    { allowed_source_urls: ["mcp.acme.example"] },
    { allowed_source_urls: ["https://user:pw@acme.example/"] },
    { pinned_hashes: { a: "md5-abc" } },
    { allowed_registry: [] },
  ])("a policy that means nothing is refused: %o", (policy) =>
    expect(provenanceSchema.safeParse(policy).success).toBe(false),
  );

  it("compares URLs as a browser reads them", () => {
    expect(isBelowSource("https://acme.example/a/../b", "https://acme.example/a")).toBe(false);
    expect(isBelowSource("https://ACME.example:443/a/x", "https://acme.example/a/")).toBe(true);
  });
});
