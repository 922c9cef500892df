import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { ParameterValue } from "./document.ts";
import { readSource } from "./read-source.ts";
import { ScopesRefused } from "./refusal.ts";
import { codes, refused, text } from "./testing.ts";

describe("a scope document that is refused", () => {
  const cases: Readonly<Record<string, readonly [code: string, source: string]>> = {
    "an empty segment": ["scope_malformed", text("  acme//x: []")],
    "a slash at the end": ["scope_malformed", text("  acme/: []")],
    "a slash at the beginning": ["scope_malformed", text("  /acme: []")],
    "no path at all": ["scope_malformed", text('  "": []')],
    "a segment of dots": ["scope_malformed", text("  acme/..: []")],
    "a space at an end": ["scope_malformed", text('  "acme /x": []')],
    "an invisible character": ["scope_malformed", text('  "ac\\u200bme": []')],
    "a line break": ["scope_malformed", text('  "ac\\nme": []')],
    "half a character": ["scope_malformed", text('  "ac\\ud800me": []')],
    "a form that is composed otherwise": ["scope_malformed", text('  "cafe\\u0301": []')],
    "a path of 1025 bytes": ["scope_malformed", text(`  ? ${"x".repeat(1025)}\n  : []`)],
    "a path of 17 segments": ["scope_too_deep", text(`  ${Array(17).fill("x").join("/")}: []`)],
    "two scopes that differ in case": ["scope_duplicate", text("  acme/Pay: []\n  acme/pay: []")],
    "two scopes that differ in width": ["scope_duplicate", text("  acme: []\n  ａcme: []")],
    "an unknown key": ["unknown_key", text("  acme: []", "grants: all\n")],
    "an unknown key of a binding": ["unknown_key", text("  acme: [{ template: ceiling, parms: { max: 1 } }]")],
    "a binding that is enabled in words": ["malformed", text("  acme: [{ template: ceiling, enabled: true }]")],
    "a tombstone with values": [
      "malformed",
      text("  acme: [{ template: ceiling, enabled: false, params: { max: 1 } }]"),
    ],
    "a not_after that is no time": ["malformed", text("  acme: []", "not_after: tomorrow\n")],
    "a not_after on a day that is not": ["malformed", text("  acme: []", 'not_after: "2027-13-01T00:00:00Z"\n')],
    "a not_after in a month that is shorter": ["malformed", text("  acme: []", 'not_after: "2027-02-30T00:00:00Z"\n')],
    "an empty list": ["malformed", text("  acme: [{ template: hosts, params: { allowed: [] } }]")],
    "a list of two types": ["malformed", text("  acme: [{ template: hosts, params: { allowed: [a, 1] } }]")],
    "a template that there is not": ["template_unknown", text("  acme: [{ template: cieling, params: { max: 1 } }]")],
    "a template that is bound twice": [
      "binding_duplicate",
      text("  acme: [{ template: ceiling, params: { max: 1 } }, { template: ceiling, params: { max: 2 } }]"),
    ],
    "a parameter that there is not": ["parameter_unknown", text("  acme: [{ template: ceiling, params: { min: 1 } }]")],
    "a number as text": ["parameter_refused", text('  acme: [{ template: ceiling, params: { max: "500" } }]')],
    "a parameter without a value": ["parameter_missing", text("  acme: [{ template: ceiling }]")],
    "a tombstone over nothing": ["tombstone_idle", text("  acme: [{ template: ceiling, enabled: false }]")],
    "a tombstone over a tombstone": [
      "tombstone_idle",
      text(
        "  a: [{ template: ceiling, params: { max: 1 } }]\n  a/b: [{ template: ceiling, enabled: false }]\n  a/b/c: [{ template: ceiling, enabled: false }]",
      ),
    ],
    "a delegator that there is not": [
      "delegator_unknown",
      text("  acme: [{ template: ceiling, params: { max: 1 }, delegated_from: nobody }]"),
    ],
    "a scope that delegates to itself": [
      "delegation_cycle",
      text("  acme: [{ template: ceiling, params: { max: 1 }, delegated_from: acme }]"),
    ],
    "a scope that is delegated from one below it": [
      "delegation_cycle",
      text("  a: [{ template: ceiling, params: { max: 1 }, delegated_from: a/b }]\n  a/b: []"),
    ],
    "a key that is no key": [
      "malformed",
      text('  acme: [{ template: ceiling, params: { max: 1 } }]\n  "__proto__": []'),
    ],
    "no YAML": ["scopes.yaml:1:2: Flow map must end with a }", "{"],
    "a key twice": ["scopes.yaml:2:1: Map keys must be unique", "id: a\nid: b"],
    "a list": ["malformed", "- a"],
    nothing: ["malformed", ""],
  };
  for (const [name, [code, source]] of Object.entries(cases)) it(name, () => expect(codes(source)[0]).toMatch(code));

  it("every problem is told, with file, line, column and key", () => {
    expect(
      refused(text("  acme: [{ template: ceiling, params: { max: many } }]\n  acme//x: [{ template: nothing }]")),
    ).toEqual([
      "scopes.yaml:20:3: scopes.acme//x: has an empty segment; a path is written like acme/payments (scope_malformed)",
      "scopes.yaml:19:41: scopes.acme.0.params.max: is of type string; ceiling has it as number (parameter_refused)",
      "scopes.yaml:20:15: scopes.acme//x.0.template: the document has no template of this name (template_unknown)",
    ]);
  });

  it("more than a mebibyte", () => {
    expect(refused(text(`  acme: [] # ${"x".repeat(1024 * 1024)}`))[0]).toContain("larger than");
  });

  it("more than 10,000 scopes", () => {
    const scopes = Array.from({ length: 10_001 }, (_, at) => `  s${at}: []`).join("\n");
    expect(codes(text(scopes))).toEqual(["too_large"]);
  });

  it("more than 64 bindings in a scope", () => {
    expect(codes(text(`  acme: [${"{ template: ceiling },".repeat(65)}]`))).toEqual(["too_large"]);
  });
});

describe("a template that is refused", () => {
  const template = (body: string): string => `id: a\nversion: 1\ntemplates:\n  t: ${body}\nscopes: { acme: [] }`;
  const cases: Readonly<Record<string, readonly [code: string, body: string]>> = {
    "a policy that is none": ["template_refused", "{ policy: { tools: [a] } }"],
    "a policy of its own id": ["template_refused", "{ policy: { id: x, tools: [a], then: deny } }"],
    "a policy with a pattern that backtracks": [
      "template_refused",
      "{ policy: { tools: [a], when: { x: { pattern: '(a)\\1' } }, then: deny } }",
    ],
    "a parameter that is not there": [
      "parameter_unknown",
      "{ policy: { tools: [a], when: { x: { gt: { param: max } } }, then: deny } }",
    ],
    "a parameter that nothing reads": [
      "parameter_unused",
      "{ params: { max: { type: number } }, policy: { tools: [a], then: deny } }",
    ],
    "a parameter for a pattern": [
      "parameter_misplaced",
      "{ params: { p: { type: string } }, policy: { tools: [a], when: { x: { pattern: { param: p } } }, then: deny } }",
    ],
    "a parameter for what is done": [
      "parameter_misplaced",
      "{ params: { p: { type: string } }, policy: { tools: [a], then: { param: p } } }",
    ],
    "a text where a number is read": [
      "parameter_misplaced",
      "{ params: { p: { type: string } }, policy: { tools: [a], when: { x: { gt: { param: p } } }, then: deny } }",
    ],
    "a text that adds up": [
      "malformed",
      "{ params: { p: { type: string, merge: union } }, policy: { tools: [a], when: { x: { eq: { param: p } } }, then: deny } }",
    ],
    "the wrong direction": [
      "widens_wrong",
      "{ params: { p: { type: number, widens: smaller } }, policy: { tools: [a], when: { x: { gt: { param: p } } }, then: deny } }",
    ],
    "one direction for two places that differ": [
      "widens_wrong",
      "{ params: { p: { type: number, widens: larger } }, policy: { tools: [a], when: { x: { gt: { param: p } }, y: { lt: { param: p } } }, then: deny } }",
    ],
  };
  for (const [name, [code, body]] of Object.entries(cases)) it(name, () => expect(codes(template(body))[0]).toBe(code));

  it("a value that makes the policy none is named where it is bound", () => {
    const source = `id: a
version: 1
templates:
  budget:
    params: { window: { type: number } }
    policy: { tools: [a], limit: { count: calls, max: 5, window_s: { param: window } } }
scopes:
  acme:
    - { template: budget, params: { window: 0.5 } }`;
    expect(refused(source)).toEqual([
      "scopes.yaml:9:37: scopes.acme.0.params.window: Invalid input: expected int, received number (parameter_refused)",
    ]);
  });
});

describe("what holds in a scope", () => {
  const held = (source: string, path: string): Record<string, Record<string, ParameterValue>> => {
    const { checked } = readSource(source, "scopes.yaml");
    const holdings = checked.resolutions.get(path)?.holdings ?? [];
    return Object.fromEntries(
      holdings.map(({ template, params }) => [
        template,
        Object.fromEntries([...params].map(([name, { value }]) => [name, value])),
      ]),
    );
  };

  it("a deeper value overrides, lists add up, a tombstone removes until a deeper scope binds anew", () => {
    const source = text(`  a:
    - { template: ceiling, params: { max: 100 } }
    - { template: hosts, params: { allowed: [one.example] } }
  a/b:
    - { template: ceiling, params: { max: 50 } }
    - { template: hosts, params: { allowed: [two.example, one.example] } }
  a/b/c:
    - { template: hosts, enabled: false }
  a/b/c/d:
    - { template: hosts, params: { allowed: [three.example] } }`);
    expect(held(source, "a")).toEqual({ ceiling: { max: 100 }, hosts: { allowed: ["one.example"] } });
    expect(held(source, "a/b")).toEqual({ ceiling: { max: 50 }, hosts: { allowed: ["one.example", "two.example"] } });
    expect(held(source, "a/b/c")).toEqual({ ceiling: { max: 50 } });
    expect(held(source, "a/b/c/d")).toEqual({ ceiling: { max: 50 }, hosts: { allowed: ["three.example"] } });
  });

  it("a value that only a deeper scope gives is missing in the scope above", () => {
    expect(codes(text("  a: [{ template: ceiling }]\n  a/b: [{ template: ceiling, params: { max: 1 } }]"))).toEqual([
      "parameter_missing",
    ]);
  });

  it("order: whatever else is written where, a delegate never grants more", () => {
    const maximum = fc.integer({ min: 0, max: 5 });
    const names = ["a", "a/b", "a/b/c", "d", "d/e"];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...names), maximum, fc.option(fc.constantFrom(...names))), { maxLength: 6 }),
        (bound) => {
          const scopes: Record<string, object[]> = Object.fromEntries(names.map((name) => [name, []]));
          for (const [name, max, from] of bound)
            if (scopes[name]?.length === 0)
              scopes[name].push({
                template: "ceiling",
                params: { max },
                ...(from === null ? {} : { delegated_from: from }),
              });
          const source = text("").replace(/scopes:\n$/, stringify({ scopes }));
          let checked: ReturnType<typeof readSource>["checked"];
          try {
            ({ checked } = readSource(source, "scopes.yaml"));
          } catch (error) {
            expect(error).toBeInstanceOf(ScopesRefused);
            return;
          }
          for (const { delegators, holdings } of checked.resolutions.values())
            for (const from of delegators.get("ceiling") ?? []) {
              const own = holdings[0]?.params.get("max")?.value as number;
              const theirs = checked.resolutions.get(from)?.holdings[0]?.params.get("max")?.value as number;
              expect(own).toBeLessThanOrEqual(theirs);
            }
        },
      ),
    );
  });
});
