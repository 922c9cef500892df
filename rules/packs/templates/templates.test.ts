import { describe, expect, it } from "vitest";
import { cost_ms } from "../../../test/detect/cost.ts";
import { judgeBy } from "../../../test/detect/judge.ts";
import type { WireObject } from "../../../wire/value.ts";
import { checkRuleSet } from "../../check.ts";
import { type NetworkOptions, network } from "../network/index.ts";
import { templates as pack, type TemplatesOptions } from "./index.ts";

const around = { roots: ["/home/user/project"], directory: "/home/user/project", allowHosts: [] };
const judge = (tier: "starter" | "strict" = "starter") => {
  const rules = pack.rules(pack.tiers[tier] as TemplatesOptions, around);
  return async (args: WireObject, action = "call_api") => (await judgeBy(tier, rules)({ action, args })).kind;
};
const padding = "lorem ipsum dolor sit amet ".repeat(1_000);

describe("the templates pack", () => {
  it("is a set of rules that can be defined, and each of its options is described", () => {
    const rules = pack.rules(pack.tiers.strict as TemplatesOptions, around);
    expect(() => checkRuleSet({ id: "t", version: 1, rules })).not.toThrow();
    expect(Object.keys(pack.options).sort()).toEqual(Object.keys(pack.tiers.starter as object).sort());
  });

  it.each<[string, WireObject]>([
    ["row 1: a control sequence of a terminal", { label: "\u001b[2J" }],
    ["row 1: the same as an escape", { label: "\\x1b[31m" }],
    ["row 15: a header behind a line break", { subject: "Hello\r\nBcc: all@example.com" }],
    ["row 15: the same in percent signs", { path: "/a%0d%0aSet-Cookie: a=b" }],
    ["row 44: the end of a filter of LDAP", { user: "*)(uid=*))(|(uid=*" }],
    ["row 76: a name __proto__", JSON.parse('{"a":{"__proto__":{"admin":true}}}')],
    ["row 76: a text that sets it", { q: "a[__proto__][admin]=1" }],
    ["row 76: constructor.prototype", { a: [{ constructor: { prototype: { x: 1 } } }] }],
    ["row 92: a template's expression", { name: "{{7*7}}" }],
    ["row 92: a walk from a class", { name: "{{ ''.__class__.__mro__ }}" }],
    ["row 105: an external entity", { xml: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>' }],
    ["row 105: a document type that stands elsewhere", { content: '<!DOCTYPE a SYSTEM "http://x.example/a.dtd"><a/>' }],
    ["an object of Java", { state: "rO0ABXNyABFqYXZhLnV0aWwu" }],
    ["Content-Length with Transfer-Encoding", { headers: { "content-length": "6", "Transfer-Encoding": "chunked" } }],
    ["two lengths", { headers: { "Content-Length": ["6", "60"] } }],
    ["two lengths in one value", { options: { headers: [{ name: "Content-Length", value: "6, 60" }] } }],
    ["an encoding that only some servers take", { headers: ["Transfer-Encoding: xchunked"] }],
    ["a blank behind a header's name", { requests: [{ headers: { "Transfer-Encoding ": "chunked" } }] }],
    ["a header of any name", { headers: { "X-Trace": "a\r\nSet-Cookie: b=1" } }],
    ["a header in a list", { headers: [{ name: "X-Trace", value: "a\r\nSet-Cookie: b=1" }] }],
    ["a folded header", { headers: { a: "b" }, host: "a.example\r\n X-Other: 1" }],
    [
      "a request that says two lengths",
      { raw: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" },
    ],
    ["a request with a folded header", { raw: "GET / HTTP/1.1\r\nTransfer-Encoding:\r\n chunked\r\n\r\n" }],
    ["a second request in a field", { path: "/a HTTP/1.1\r\n\r\nGET /admin HTTP/1.1" }],
  ])("blocks %s", async (_name, args) => {
    expect(await judge()(args)).toBe("block");
  });

  it.each<[string, WireObject]>([
    ["a template", { name: `${padding}{{7*7}}${padding}` }],
    ["a prototype", { name: `${padding}a[__proto__][b]=1` }],
    ["a filter's end", { name: `${padding}*)(uid=*))(|(uid=*` }],
    ["a header's line break", { subject: `${padding}\r\nBcc: a@example.com` }],
    ["a control sequence", { name: `${padding}\u001b[2J` }],
    ["a serialized object", { name: `${padding} rO0ABXNyABFqYXZhLnV0aWwu` }],
    ["an entity", { xml: `<!--${"x".repeat(200_000)}--><!DOCTYPE a [<!ENTITY x SYSTEM "y">]><a/>` }],
    [
      "an inclusion",
      {
        xml: `<a xmlns:xi="http://www.w3.org/2001/XInclude">${"<b/>".repeat(50_000)}<xi:include href="/etc/passwd"/></a>`,
      },
    ],
  ])("finds %s behind as much text as there is", async (_name, args) => {
    expect(await judge()(args)).toBe("block");
  });

  it("asks where a field holds more expressions than are read", async () => {
    expect(await judge()({ name: "{{a}}".repeat(3_000) })).toBe("escalate");
    expect(await judge()({ name: "{{a}}".repeat(300) })).toBe("silent");
  });

  it.each<[string, WireObject]>([
    [
      "a large sitemap",
      { xml: `<?xml version="1.0"?><urlset>${"<url><loc>https://a.example</loc></url>".repeat(6_000)}</urlset>` },
    ],
    [
      "a large picture",
      {
        svg: `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg>${'<path d="M0 0"/>'.repeat(9_000)}</svg>`,
      },
    ],
    ["a large page", { html: `<!DOCTYPE html><html>${"<p>a</p>".repeat(30_000)}</html>` }],
    ["a template that names", { subject: "Hello {{name}}, your order {{order.id}}" }],
    ["a workflow's expression", { run: "echo ${{ github.ref }}" }],
    ["headers of a request", { headers: { "Content-Length": "6", Accept: "*/*" } }],
    ["headers of a stream", { headers: { "Transfer-Encoding": "chunked" } }],
    ["a request written out", { raw: "GET / HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\n\r\n" }],
    ["a call in a text", { note: "f(x)(y) and (a | b)" }],
    ["an address of an installer", { url: "https://a.example/setup.exe" }],
  ])("passes %s", async (_name, args) => {
    expect(await judge()(args)).toBe("silent");
  });

  it.each<[string, WireObject]>([
    ["row 22: an address of a program", { url: "https://a.example/setup.exe" }],
    ["row 22: in a value of a query", { url: "https://a.example/get?file=run.sh" }],
    ["row 22: with a dot behind it", { url: "https://a.example/a.msi." }],
    ["row 65: a redirect to another host", { next: "https://evil.example" }],
    ["row 65: in an address", { url: "https://a.example/login?next=https://evil.example/" }],
    ["row 82: a script", { title: "<script>alert(1)</script>" }],
    ["row 82: a script in an event", { title: "<img src=x onerror=alert(1)>" }],
  ])("asks in the tier strict about %s", async (_name, args) => {
    expect(await judge("strict")(args)).toBe("escalate");
    expect(await judge()(args)).toBe("silent");
  });

  it("row 49: asks about rights among the fields of a user", async () => {
    expect(await judge()({ name: "Ann", is_admin: true }, "update_user")).toBe("escalate");
    expect(await judge()({ user: { role: "admin" } }, "create_account")).toBe("escalate");
    expect(await judge()({ name: "Ann", role: "editor" }, "update_user")).toBe("silent");
    expect(await judge()({ is_admin: true }, "search_issues")).toBe("silent");
  });

  it("row 102: schemes of addresses are the pack network's", async () => {
    const rules = network.rules(network.tiers.starter as Required<NetworkOptions>, around);
    for (const url of ["file:///etc/passwd", "gopher://a.example/1", "dict://a.example:11211/"])
      expect((await judgeBy("starter", rules)({ action: "fetch", args: { url } })).held, url).toBe(true);
  });

  it("tells what it found by class and place, in calls only", async () => {
    const value = { user: { name: "{{7*7}}" }, label: "\u001b[2J", note: "hello" };
    const options = pack.tiers.starter as TemplatesOptions;
    const found = (await pack.scan?.(value, "call", options)) ?? [];
    expect(found.map(({ class: of, place }) => [of, place])).toEqual([
      ["template", "user.name"],
      ["terminal", "label"],
    ]);
    expect(await pack.scan?.(value, "result", options)).toEqual([]);
  });

  it.each([
    "{{",
    "{{a",
    "#set(",
    "<#assign",
    "[[",
    "%0",
    "*)(",
    ")(",
    "O:1:",
    "<a ",
    "<!DOCTYPE a [",
    "<x:include ",
    "\r\nGET ",
    "\\r\\n",
    "https://a.example/?next=",
    "__proto__",
    "constructor[",
  ])("reads 100,000 characters of %j in less than 50 ms", async (part) => {
    const text = part.repeat(Math.ceil(100_000 / part.length));
    for (const tier of ["starter", "strict"] as const) {
      const asked = judge(tier);
      expect(await cost_ms((turn) => asked({ subject: `${turn}${text}`, url: `${text}${turn}` })), tier).toBeLessThan(
        50,
      );
    }
  });
});
