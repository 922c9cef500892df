import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../wire/freeze.ts";
import type { WireValue } from "../../wire/value.ts";
import { destinationsOf } from "./destinations.ts";

const of = (args: unknown, most = 1_000) => {
  const found = destinationsOf(args as WireValue, most);
  if (!found.ok) throw new Error("more than is looked at");
  return [...found.destinations];
};

describe("a destination is", () => {
  it.each([
    ["the host of a URL", { x: "https://api.example.com/v1?q=1" }, ["api.example.com"]],
    ["not its port, user or case", { x: "HTTPS://u:p@API.Example.com:8443/" }, ["api.example.com"]],
    [
      "one host in all its spellings",
      { a: "http://127.1/", b: "http://0x7f.0.0.1/", c: "http://2130706433/" },
      ["127.0.0.1"],
    ],
    ["of other schemes too", { x: "ssh://git@git.example.com/x.git" }, ["git.example.com"]],
    ["a host with a dot at its end, once", { a: "https://a.example./", b: "https://a.example/" }, ["a.example"]],
    ["an address of mail", { x: "Jane@Example.org" }, ["jane@example.org"]],
    [
      "each address of a list",
      { to: "a@x.example, Doe, J <b@x.example>; c@x.example" },
      ["a@x.example", "b@x.example", "c@x.example"],
    ],
    ["each of a mailto", { x: "mailto:a@x.example?cc=b@x.example" }, ["a@x.example", "b@x.example"]],
    ["nested, in lists", { m: { headers: [{ bcc: ["a@x.example"] }] } }, ["a@x.example"]],
    ["what stands under a name that says so", { channel: "#General", phone: "+49 123" }, ["#general", "+49 123"]],
    [
      "a bare host under such a name",
      { host: "DB.internal:5432", url: "evil.example/x" },
      ["db.internal", "evil.example"],
    ],
    [
      "a URL in a command line",
      { command: "curl -s https://a.example/x | tee b && wget 'http://b.example'" },
      ["a.example", "b.example"],
    ],
    ["a host that only the shell knows, as it is written", { command: "curl https://$HOST/x" }, ["$host"]],
  ])("%s", (_what, args, wanted) => expect(of(args)).toEqual(wanted));
});

describe("no destination is", () => {
  it.each([
    ["a path", { path: "src/index.ts" }],
    ["a link in prose", { text: "see https://a.example and mail b@c.example" }],
    ["a link in a file", { content: "# Title\n\n[a](https://a.example)\n" }],
    ["a package", { name: "@scope/name" }],
    ["a decorator", { name: "@Injectable" }],
    ["a pinned version", { name: "left-pad@1" }],
    ["a name", { "https://a.example": 1 }],
    ["nothing", { to: "", url: " " }],
  ])("%s", (_what, args) => expect(of(args)).toEqual([]));
});

it("stops after one more than it is asked for", () => {
  expect(of({ to: Array.from({ length: 50 }, (_, n) => `a${n}@x.example`) }, 5)).toHaveLength(6);
});

it("says that there is more than it looks at", () => {
  expect(
    destinationsOf(
      Array.from({ length: 200_001 }, () => "x"),
      5,
    ),
  ).toEqual({ ok: false });
});

it.each([
  ["@", "@".repeat(100_000)],
  ["a@", "a@".repeat(50_000)],
  ["://", "://".repeat(33_333)],
  ["a://", "a://".repeat(25_000)],
  ["http://a", "http://a".repeat(12_500)],
  ["letters and one @", `${"a".repeat(99_999)}@`],
  ["no separator", "x".repeat(100_000)],
])("reads 100 KB of %s in less than 50 ms", (_what, text) => {
  for (const name of ["to", "command", "text"]) {
    const args = deepFreeze({ [name]: text });
    // The best of three: others use the machine too.
    const took_ms = [1, 2, 3].map(() => {
      const began_ms = performance.now();
      destinationsOf(args, 1_000);
      return performance.now() - began_ms;
    });
    expect(Math.min(...took_ms)).toBeLessThan(50);
  }
});
