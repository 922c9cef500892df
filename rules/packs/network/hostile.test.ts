import { describe, expect, it } from "vitest";
import type { WireObject } from "../../../wire/value.ts";
import { type NetworkOptions, network } from "./index.ts";

const size = 100_000;
const filled = (part: string): string => part.repeat(Math.ceil(size / part.length)).slice(0, size);

/** Texts that make patterns go back and forth, each a hundred thousand characters. */
const shapes: readonly (readonly [string, string])[] = [
  ["letters", filled("a")],
  ["slashes", filled("/")],
  ["backslashes", filled("\\")],
  ["colons", filled(":")],
  ["dots", filled("a.")],
  ["digits and dots", filled("1.")],
  ["digits and dashes", filled("10-")],
  ["percent signs", filled("%25")],
  ["percent signs before letters", filled("%2541")],
  ["at signs", filled("a@")],
  ["addresses in addresses", filled("http://a/?u=")],
  ["addresses", filled("http://10.0.0.1/ ")],
  ["schemes", filled("http:")],
  ["spaces", filled(" ")],
  ["line ends", filled("\n")],
  ["zeros", filled("\0")],
  ["brackets", filled("[")],
  ["hex", filled("6a")],
  ["base64", filled("QUJD")],
  ["parameters", `https://example.com/?${filled("a=http://b/&")}`],
  ["labels", `https://${filled("a1b2c3.")}com/`],
  ["a path of hex", `https://example.com/${filled("616263646566/")}`],
  ["recipients", filled("a@b.example,")],
  ["half a recipient", filled("<a@b.example")],
  ["comments", filled("((")],
  ["international labels", `https://${filled("\u0430.")}com/`],
];

const rulesOf = (options: Partial<NetworkOptions>) =>
  network.rules(
    { ...(network.tiers.starter as NetworkOptions), ...options },
    { roots: [], directory: null, allowHosts: [] },
  );

const judged_ms = async (
  rules: ReturnType<typeof rulesOf>,
  action: string,
  args: WireObject,
  phase: "call" | "result",
) => {
  let slowest = 0;
  for (const rule of rules.filter((one) => one.phase === phase)) {
    const before = process.cpuUsage();
    await rule.evaluate(
      { action, args, phase, principal: null, parent_principal: null, span_id: null, ts: 0 },
      { now_ms: 0, lookup: async () => undefined },
    );
    const { user, system } = process.cpuUsage(before);
    slowest = Math.max(slowest, (user + system) / 1_000);
  }
  return slowest;
};

describe("a hundred thousand hostile characters", async () => {
  const rules = rulesOf({ allowRecipients: ["example.com"], allowDomains: ["example.com"] });
  // What is loaded once is not what is measured.
  await judged_ms(rules, "fetch", { url: "https://\u0430.example.com/", to: "a@example.com" }, "call");

  it.each(shapes)("%s", async (_name, text) => {
    expect(await judged_ms(rules, "fetch", { url: text }, "call")).toBeLessThan(50);
    expect(
      await judged_ms(rules, "fetch", { url: "https://example.com/", body: text, other: text }, "call"),
    ).toBeLessThan(50);
    expect(await judged_ms(rules, "send_email", { to: text, link: text, x: text }, "call")).toBeLessThan(50);
    expect(
      await judged_ms(rules, "fetch", { status: 302, headers: { location: text }, body: text }, "result"),
    ).toBeLessThan(50);
  });

  it("ten thousand addresses of inside are refused at once", async () => {
    const urls = Array.from({ length: 10_000 }, (_, at) => `https://example.com/${at}`);
    expect(await judged_ms(rules, "fetch", { urls }, "call")).toBeLessThan(500);
  });
});
