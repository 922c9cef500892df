import { describe, expect, it } from "vitest";
import type { WireObject, WireValue } from "../../../../wire/value.ts";
import { compareSchemas } from "./compare.ts";

const facts = (before: WireValue, after: WireValue) => compareSchemas(before, after, "s");
/** What changed, as `path keyword relation`. */
const told = (before: WireValue, after: WireValue): readonly string[] =>
  facts(before, after).map((fact) => {
    const what = fact.kind === "bound" ? fact.keyword : fact.kind;
    return [fact.path, what, "relation" in fact ? fact.relation : "why" in fact ? fact.why : ""].join(" ").trim();
  });
const with_ = (schema: WireObject): WireObject => ({ type: "object", properties: { x: schema } });
const of = (before: WireObject, after: WireObject): readonly string[] => told(with_(before), with_(after));
const x = "s.properties.x";

describe("what two schemas accept", () => {
  it("is the same however it is written", () => {
    const same: readonly (readonly [WireObject, WireObject])[] = [
      [{ type: ["string", "null"] }, { type: ["null", "string"] }],
      [{ type: ["string", "null"] }, { anyOf: [{ type: "string" }, { type: "null" }] }],
      [{ type: "string", nullable: true }, { type: ["string", "null"] }],
      [{ enum: ["a", "b"] }, { enum: ["b", "a"] }],
      [{ type: "string", enum: ["a", "b"] }, { oneOf: [{ const: "a" }, { const: "b" }] }],
      [{ const: 1 }, { enum: [1] }],
      [
        { type: "integer", exclusiveMinimum: 0 },
        { type: "integer", minimum: 1 },
      ],
      [{ type: "integer" }, { type: "integer", maximum: Number.MAX_SAFE_INTEGER, minimum: -Number.MAX_SAFE_INTEGER }],
      [
        { type: "number", maximum: 5, exclusiveMaximum: true },
        { type: "number", exclusiveMaximum: 5 },
      ],
      [{ type: "string" }, { allOf: [{ type: "string" }] }],
      [{ type: "object" }, { type: "object", additionalProperties: {} }],
      [{ minLength: 0 }, {}],
      [{ description: "one" }, { description: "other", title: "X", examples: [1], $comment: "c" }],
      [
        { type: "array", items: [{ type: "string" }] },
        { type: "array", prefixItems: [{ type: "string" }] },
      ],
    ];
    for (const [before, after] of same) expect(of(before, after), JSON.stringify([before, after])).toEqual([]);
  });

  it("is the same behind a reference, and other where the reference's target is", () => {
    const inlined = with_({ type: "number", maximum: 5 });
    const referring = (maximum: number): WireObject => ({
      ...with_({ $ref: "#/$defs/n" }),
      $defs: { n: { type: "number", maximum } },
    });
    expect(told(inlined, referring(5))).toEqual([]);
    expect(told(referring(5), referring(50))).toEqual([`${x} maximum widened`]);
    const anchored = { ...with_({ $ref: "#n" }), $defs: { n: { $anchor: "n", type: "number", maximum: 9 } } };
    expect(told(referring(5), anchored)).toEqual([`${x} maximum widened`]);
  });

  it("is told for every bound, in both directions", () => {
    const pairs: readonly (readonly [WireObject, WireObject, string])[] = [
      [{ maximum: 1 }, { maximum: 2 }, "maximum"],
      [{ maximum: 1 }, {}, "maximum"],
      [{ exclusiveMaximum: 1 }, {}, "maximum"],
      [{ exclusiveMaximum: 1 }, { maximum: 1 }, "maximum"],
      [{ minimum: 2 }, { minimum: 1 }, "minimum"],
      [{ exclusiveMinimum: 0 }, {}, "minimum"],
      [{ maxLength: 1 }, { maxLength: 2 }, "maxLength"],
      [{ minLength: 1 }, {}, "minLength"],
      [{ maxItems: 1 }, {}, "maxItems"],
      [{ minItems: 1 }, {}, "minItems"],
      [{ maxProperties: 1 }, {}, "maxProperties"],
      [{ minProperties: 1 }, {}, "minProperties"],
      [{ multipleOf: 10 }, { multipleOf: 5 }, "multipleOf"],
      [{ uniqueItems: true }, {}, "uniqueItems"],
      [{ pattern: "^a$" }, {}, "pattern"],
      [{ format: "email" }, {}, "format"],
      [{ additionalProperties: false }, {}, "additionalProperties"],
      [{ unevaluatedProperties: false }, {}, "unevaluatedProperties"],
      [{ propertyNames: { maxLength: 1 } }, {}, "propertyNames"],
      [{ contains: { type: "string" } }, {}, "contains"],
      [{ dependentRequired: { a: ["b"] } }, {}, "dependentRequired"],
      [{ dependentSchemas: { a: { required: ["b"] } } }, {}, "dependentSchemas"],
      [{ not: {} }, {}, "not"],
    ];
    for (const [narrow, wide, keyword] of pairs) {
      if (keyword === "not") continue;
      expect(of(narrow, wide), keyword).toEqual([`${x} ${keyword} widened`]);
      expect(of(wide, narrow), keyword).toEqual([`${x} ${keyword} narrowed`]);
    }
    expect(of({ pattern: "^a$" }, { pattern: "^b$" })).toEqual([`${x} pattern incomparable`]);
    expect(of({ multipleOf: 3 }, { multipleOf: 2 })).toEqual([`${x} multipleOf incomparable`]);
  });

  it("is told for types and values", () => {
    expect(of({ type: "string" }, { type: ["string", "number"] })).toEqual([`${x} type widened`]);
    expect(of({ type: "number" }, { type: "integer" })).toEqual([`${x} type narrowed`]);
    expect(of({ type: "string" }, { type: "number" })).toEqual([`${x} type incomparable`]);
    expect(of({ enum: ["a", "b"] }, { enum: ["a", "admin"] })).toEqual([`${x} values incomparable`]);
    expect(of({ enum: ["a"] }, { enum: ["a", "b"] })).toEqual([`${x} values widened`]);
    expect(of({ enum: ["a"] }, {})).toEqual([`${x} values widened`]);
    expect(of({ const: "a" }, { const: "b" })).toEqual([`${x} values incomparable`]);
    expect(of({ anyOf: [{ enum: ["a"] }] }, { anyOf: [{ enum: ["a"] }, { type: "string" }] })).toEqual([
      `${x} values widened`,
    ]);
  });

  it("is told inside of combinators, conditions and negations, in the sense that it has there", () => {
    const object = (inner: WireObject): WireObject => ({ type: "object", properties: { y: inner } });
    expect(
      of(
        { allOf: [object({ maximum: 1 }), { minProperties: 1 }] },
        { allOf: [{ minProperties: 1 }, object({ maximum: 2 })] },
      ),
    ).toEqual([`${x}.allOf[1].properties.y maximum widened`]);
    expect(
      of({ anyOf: [object({}), { type: "null" }, { type: "array" }] }, { anyOf: [object({}), { type: "null" }] }),
    ).toEqual([`${x}.anyOf[3] anyOf narrowed`]);
    expect(
      of({ type: "string" }, { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }),
    ).toEqual([`${x}.anyOf[1] anyOf widened`]);
    expect(of({ not: { maximum: 1 } }, { not: { maximum: 2 } })).toEqual([`${x}.not maximum narrowed`]);
    expect(of({ if: { maximum: 1 } }, { if: { maximum: 2 } })).toEqual([`${x}.if maximum incomparable`]);
    expect(of({ then: { maximum: 1 } }, { then: { maximum: 2 } })).toEqual([`${x}.then maximum widened`]);
    expect(of({ patternProperties: { "^a": { maximum: 1 } } }, { patternProperties: { "^a": {} } })).toEqual([
      `${x}.patternProperties.^a maximum widened`,
    ]);
    expect(of({ prefixItems: [{ maxLength: 1 }] }, { prefixItems: [{}] })).toEqual([
      `${x}.prefixItems[0] maxLength widened`,
    ]);
  });

  it("is told for fields: new, gone, renamed, required", () => {
    const properties = { a: { type: "string" }, b: { type: "number" } };
    expect(told({ properties }, { properties: { ...properties, c: {} }, required: ["c"] })).toEqual([
      "s.properties.c field_added",
    ]);
    expect(told({ properties }, { properties: { a: { type: "string" } } })).toEqual(["s.properties.b field_removed"]);
    expect(
      told({ properties }, { properties: { a: { type: "string" }, z: { type: "number", description: "d" } } }),
    ).toEqual(["s.properties.z field_renamed"]);
    expect(told({ properties }, { properties, required: ["a"] })).toEqual(["s.properties.a made_required"]);
    expect(told({ properties, required: ["a"] }, { properties })).toEqual(["s.properties.a made_optional"]);
    expect(of({ default: 1 }, { default: 2 })).toEqual([`${x} default`]);
  });
});

describe("what cannot be compared", () => {
  it("is named: references outside and nowhere, circles of references, unknown keywords", () => {
    expect(of({ type: "string" }, { $ref: "https://schemas.acme.test/x.json" })).toEqual([
      `${x} incomparable refers_outside`,
    ]);
    expect(of({ type: "string" }, { $ref: "#/$defs/none" })).toEqual([`${x} incomparable refers_nowhere`]);
    const circle = { ...with_({ $ref: "#/$defs/a" }), $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } };
    expect(told(with_({ type: "string" }), circle)).toEqual([`${x} incomparable refers_nowhere`]);
    expect(of({ type: "string" }, { type: "string", discriminates: true })).toEqual([
      `${x}.discriminates incomparable unknown_keyword`,
    ]);
  });

  it("ends: schemas that contain themselves, a million nodes, a thousand levels, names of prototypes", () => {
    const tree = (maximum: number): WireObject => ({
      $ref: "#/$defs/node",
      $defs: { node: { type: "object", properties: { value: { maximum }, next: { $ref: "#/$defs/node" } } } },
    });
    expect(told(tree(1), tree(2))).toEqual(["s.properties.value maximum widened"]);
    const wide = (maximum: number): WireObject => ({
      properties: Object.fromEntries(
        Array.from({ length: 200_000 }, (_, at) => [`p${at}`, { anyOf: [{ maximum }, { type: "null" }] }]),
      ),
    });
    const started = process.cpuUsage();
    expect(facts(wide(1), wide(2)).some((fact) => fact.kind === "incomparable" && fact.why === "too_large")).toBe(true);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(3_000);
    let deep: WireObject = { maximum: 1 };
    let other: WireObject = { maximum: 2 };
    for (let at = 0; at < 1_000; at++) [deep, other] = [{ properties: { d: deep } }, { properties: { d: other } }];
    expect(facts(deep, other).map((fact) => fact.kind)).toEqual(["incomparable"]);
    const hostile = JSON.parse('{"properties":{"__proto__":{"maximum":1},"constructor":{"maximum":1}}}') as WireObject;
    const relaxed = JSON.parse('{"properties":{"__proto__":{"maximum":1},"constructor":{}}}') as WireObject;
    expect(told(hostile, relaxed)).toEqual(["s.properties.constructor maximum widened"]);
  });
});
