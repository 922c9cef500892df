import { describe, expect, it } from "vitest";
import type { PackageIdentity, ServerIdentity } from "../surface.ts";
import { serverFindings } from "./server-findings.ts";
import { surfaceOf, toolOf } from "./testing.ts";

const tool = toolOf({ name: "x", inputSchema: { type: "object" } });
const acme: PackageIdentity = {
  registry: "https://registry.npmjs.org",
  name: "acme",
  version: "1.0.0",
  integrity: "sha512-a",
};
const stdio = (parts: Partial<Extract<ServerIdentity, { kind: "stdio" }>> = {}): ServerIdentity => ({
  kind: "stdio",
  command: "node",
  args: "sha256:a",
  executable: "sha256:b",
  package: acme,
  ...parts,
});
const found = (before: ServerIdentity | null, after: ServerIdentity | null): readonly string[] =>
  serverFindings(surfaceOf([tool], { identity: before }), surfaceOf([tool], { identity: after })).map(
    ({ severity, path }) => `${severity} ${path}`,
  );

describe("what became of a server", () => {
  it("is churn where another version of the same package runs, whatever its bytes and its arguments", () => {
    const next = stdio({
      args: "sha256:c",
      executable: "sha256:d",
      package: { ...acme, version: "1.1.0", integrity: "sha512-b" },
    });
    expect(found(stdio(), next)).toEqual(["minor identity.package.version", "minor identity.args"]);
    expect(found(stdio(), stdio())).toEqual([]);
    expect(found(null, stdio())).toEqual([]);
  });

  it("is held where anything else answers", () => {
    expect(found(stdio(), stdio({ executable: "sha256:d" }))).toEqual(["critical identity.executable"]);
    expect(found(stdio(), stdio({ package: { ...acme, integrity: "sha512-b" } }))).toEqual([
      "critical identity.package.integrity",
    ]);
    expect(found(stdio(), stdio({ package: { ...acme, registry: "https://npm.acme.test" } }))).toEqual([
      "critical identity.package",
    ]);
    expect(found(stdio(), stdio({ command: "sh" }))).toEqual(["critical identity.command"]);
    expect(found(stdio(), stdio({ args: "sha256:c" }))).toEqual(["high identity.args"]);
    expect(found(stdio(), null)).toEqual(["high identity.kind"]);
    const http = (url: string, tls_key: string | null): ServerIdentity => ({ kind: "http", url, tls_key });
    expect(found(http("https://a.test/", "k"), http("https://b.test/", "k"))).toEqual(["critical identity.url"]);
    expect(found(http("https://a.test/", "k"), http("https://a.test/", "l"))).toEqual(["high identity.tls_key"]);
    expect(found(stdio(), http("https://a.test/", "k"))).toEqual(["critical identity.kind"]);
  });

  it("is held where it offers none of its tools any more, and not where tools were not asked for", () => {
    const before = surfaceOf([tool]);
    expect(serverFindings(before, surfaceOf([])).map(({ type, severity }) => [type, severity])).toEqual([
      ["server_emptied", "high"],
    ]);
    expect(serverFindings(before, surfaceOf([], { listed: ["prompt"] }))).toEqual([]);
  });
});
