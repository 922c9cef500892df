import { expect, test } from "vitest";
import type { ServerIdentity } from "../surface.ts";
import { keep, surface, taken, tool } from "../test-keeper.ts";
import { provenanceSchema } from "./policy.ts";

const sha = (digit: string): string => `sha256:${digit.repeat(64)}`;
const npm = "https://registry.npmjs.org";
const of = (version: string, more: Partial<Extract<ServerIdentity, { kind: "stdio" }>> = {}): ServerIdentity => ({
  kind: "stdio",
  command: "npx",
  args: sha("0"),
  executable: sha("1"),
  package: { registry: npm, name: "@acme/mcp", version, integrity: null },
  ...more,
});
const listed = (identity: ServerIdentity | null) => surface([tool("status")], { identity });

test("a server that the policy refuses is refused before anything of it is kept, and taken once it comes from where it may", async () => {
  const policy = provenanceSchema.parse({ allowed_registries: [npm], pinned_versions: { "@acme/mcp": "1.2.0" } });
  const { keeper, noted } = await keep("first_use", undefined, policy);
  const other = of("1.2.0", {
    package: { registry: "https://npm.evil.example", name: "@acme/mcp", version: "1.2.0", integrity: null },
  });
  for (const [identity, reason] of [
    [other, /allowed_registries/],
    [of("1.3.0"), /pinned_versions/],
    [null, /could not be resolved/],
  ] as const) {
    expect(keeper.report(listed(identity))).toMatchObject({
      kind: "provenance",
      reason: expect.stringMatching(reason),
    });
  }
  expect([keeper.list(), await noted()]).toEqual([[], []]);
  const first = await taken(keeper, listed(of("1.2.0")));
  expect(first.known.record.baseline?.version).toBe(1);
  // Also where it is known by now, and where the same was taken before.
  expect(keeper.report(listed(other))).toMatchObject({ kind: "provenance" });
  expect(keeper.find(first.known.key)?.record).toEqual(first.known.record);
  expect((await taken(keeper, listed(of("1.2.0")))).provenance).toBe("");
});

test("what could not be resolved serves where the policy says so, and is told", async () => {
  const policy = provenanceSchema.parse({ allowed_registries: [npm], unknown: "allow" });
  const { keeper } = await keep("first_use", undefined, policy);
  for (let time = 1; time <= 2; time++)
    expect((await taken(keeper, listed(null))).provenance).toBe("where the server comes from could not be resolved");
});

test("other bytes under the version that was approved quarantine the server, without any policy", async () => {
  const { keeper } = await keep();
  await taken(keeper, listed(of("1.2.0")));
  const { known } = await taken(keeper, listed(of("1.2.0", { executable: sha("9") })));
  expect(known.record.self).toMatchObject({ action: "quarantine" });
  const back = await taken(keeper, listed(of("1.2.0")));
  expect(back.known.record.self).toMatchObject({ action: "quarantine" });
});
