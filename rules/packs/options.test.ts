import { describe, expect, it } from "vitest";
import { runExamples } from "../../daemon/rulesets/examples.ts";
import { checkRuleSet } from "../check.ts";
import { RuleDefinitionError } from "../definition-error.ts";
import { packs } from "./catalogue.ts";
import type { OptionNote, Pack, PackId } from "./pack.ts";
import { type StandardOptions, standardPacks } from "./standard.ts";

const all = Object.values(packs) as readonly Pack[];

describe("the options of every pack", () => {
  it.each(all.map((pack) => [pack.id, pack] as const))(
    "%s: take what the tiers give them, and nothing else",
    (_id, pack) => {
      const notes = pack.options as Readonly<Record<string, OptionNote>>;
      for (const options of [pack.tiers.starter, pack.tiers.strict, pack.whenTakenIn]) {
        if (options === null || options === undefined) continue;
        expect(Object.keys(options).sort()).toEqual(Object.keys(notes).sort());
        for (const [name, value] of Object.entries(options))
          expect([name, notes[name]?.takes.fits(value)]).toEqual([name, true]);
      }
      for (const [name, { takes }] of Object.entries(notes))
        for (const wrong of [undefined, true, Number.NaN, "", "blok"])
          expect([name, wrong, takes.fits(wrong)]).toEqual([name, wrong, false]);
    },
  );

  it.each<[string, unknown, string]>([
    [
      "a misspelt value",
      { packs: { commands: { gitHistory: "blok" } } },
      'packs.commands.gitHistory takes "block", "escalate" or "pass"',
    ],
    [
      "a misspelt option",
      { packs: { paths: { alow: [".env"] } } },
      'there is no option "packs.paths.alow", but readRoots, writeRoots,',
    ],
    ["a misspelt pack", { packs: { path: {} } }, 'there is no pack "path", but commands, paths,'],
    ["a pack that is null", { packs: { secrets: null } }, 'packs.secrets takes "off", or an object of options'],
    ["a pack that is on", { packs: { secrets: "on" } }, 'packs.secrets takes "off", or an object of options'],
    ["packs that are a list", { packs: ["paths"] }, "packs takes an object of options by pack"],
    ["a tier that is none", { tier: "strong" }, 'tier takes "starter" or "strict"'],
    ["an option that is none", { root: ["/srv"] }, 'there is no option "root", but roots, directory,'],
    ["an inherited name", { packs: { paths: { constructor: 1 } } }, 'there is no option "packs.paths.constructor"'],
    [
      "a URL as a host",
      { allowHosts: ["http://localhost:3000"] },
      "allowHosts takes a list, each a host as a URL has it",
    ],
    [
      "a URL as a domain",
      { packs: { network: { allowDomains: ["https://github.com"] } } },
      "a domain without a scheme",
    ],
    ["a domain with a star", { packs: { network: { allowDomains: ["*.github.com"] } } }, "a domain without a scheme"],
    [
      "half a limit",
      { packs: { limits: { sameCall: { max: 30 } } } },
      "packs.limits.sameCall takes { max: a whole number from 1; window_s:",
    ],
    [
      "a role that is misspelt",
      { packs: { roles: { roles: { a: { effect: ["read"] } } } } },
      "packs.roles.roles takes by name { effects?:",
    ],
    [
      "an unknown kind",
      { packs: { pii: { inCalls: ["creditcard"] } } },
      'packs.pii.inCalls takes a list, each "credit_card"',
    ],
    ["no roots", { roots: undefined }, "roots is missing"],
  ])("refuse %s, and say what is taken", (_what, options, said) => {
    const given = { roots: ["/srv/app"], ...(options as object) } as StandardOptions;
    expect(() => standardPacks(given)).toThrow(RuleDefinitionError);
    expect(() => standardPacks(given)).toThrow(said);
  });

  it("take what is undefined for left out", () => {
    const options = { roots: ["/srv/app"], packs: { paths: { allow: undefined } } } as unknown as StandardOptions;
    expect(standardPacks(options).rules.map(({ id }) => id)).toEqual(
      standardPacks({ roots: ["/srv/app"] }).rules.map(({ id }) => id),
    );
  });
});

/** Each is what somebody who tunes a pack writes: it can be signed, so no example of the pack speaks against it. */
const tuned: readonly (readonly [PackId, object])[] = [
  ["paths", { allow: [".env", "/srv/app/.git/hooks/pre-commit", "~/.ssh/id_rsa", "/etc/passwd"] }],
  ["paths", { protect: ["*.ts", "README.md", "/srv/app/src"] }],
  ["paths", { readRoots: ["/usr/share/doc"], writeRoots: ["/tmp"] }],
  ["network", { collectors: ["example.com", "example.net"], allowDomains: ["github.com"] }],
  ["network", { schemes: ["https"], ports: [8443], privateNetwork: "escalate", allowRecipients: ["acme.com"] }],
  ["secrets", { allowAuthHeader: ["api.github.com"], canaries: ["planted-text-1"], results: "block", over: "digest" }],
  ["pii", { inCalls: [], inResults: [] }],
  ["pii", { inCalls: ["email"], calls: "redact", inResults: ["phone"], results: "block" }],
  ["injection", { high: "mark", medium: "pass", highAt: 0.95, mediumAt: 0.65, calls: "pass" }],
  ["database", { scratchTables: ["*"], dialect: "mysql", access: "write", wholeTables: "escalate" }],
  ["code", { processes: "block", network: "escalate", files: "escalate" }],
  ["templates", { privilegeKeys: ["vip"], pages: "escalate" }],
  ["commands", { gitHistory: "pass", opaque: "block", understood: "pass", inlineCode: "block", environment: "pass" }],
];

describe("a pack that is tuned", () => {
  it.each(tuned)("%s with %j holds its examples in both tiers", async (id, options) => {
    for (const tier of ["starter", "strict"] as const) {
      const others = Object.fromEntries(Object.keys(packs).map((other) => [other, "off"]));
      const { rules } = standardPacks({
        roots: ["/srv/app"],
        directory: "/srv/app",
        tier,
        packs: { ...others, [id]: options },
      });
      const outcomes = await runExamples(checkRuleSet({ id: "tuned", version: 1, rules }), 0);
      expect(outcomes.length).toBeGreaterThan(0);
      expect(outcomes.filter(({ failure }) => failure !== null)).toEqual([]);
    }
  });
});
