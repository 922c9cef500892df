import type { JsonObject, JsonValue, WireObject, WireValue } from "../../wire/value.ts";
import { type ArgumentPath, argumentPath, readPath } from "./argument-path.ts";
import { isFactRef } from "./fact-ref.ts";
import { type LinearPattern, linearPattern } from "./linear-pattern.ts";
import type { Bounds, BoundTerms, FieldError } from "./tool.ts";

/** Bounds that rest on nothing but the arguments, ready to judge. */
export type StaticBounds = (args: WireObject) => readonly FieldError[];

interface StaticBound {
  readonly path: ArgumentPath;
  readonly terms: BoundTerms;
  readonly pattern: LinearPattern | null;
}

/** What is not there is not judged: the schema says what must be. Throws `RuleDefinitionError` for a pattern. */
export const staticBounds = (bounds: Bounds, where: string): StaticBounds => {
  const compiled = Object.entries(bounds).map(([text, terms]): StaticBound => {
    const place = `${where}: bound on ${text}`;
    return {
      path: argumentPath(text, place),
      terms,
      pattern: terms.pattern === undefined ? null : linearPattern(terms.pattern, "", place),
    };
  });
  return (args) =>
    compiled.flatMap((bound) =>
      readPath(args, bound.path).flatMap((found) => {
        const wrong = found.kind === "value" ? firstWrong(found.value, bound) : null;
        return wrong === null ? [] : [Object.freeze({ loc: found.loc, ...wrong })];
      }),
    );
};

type Wrong = Omit<FieldError, "loc">;

const firstWrong = (value: WireValue, { terms, pattern }: StaticBound): Wrong | null => {
  const { min, max, minLength, maxLength, oneOf, equals } = terms;
  if (typeof min === "number" || typeof max === "number") {
    // A comparison with what is no number is false either way round, so the type comes first.
    if (typeof value !== "number" || !Number.isFinite(value)) return wrong("invalid_type", "must be a number");
    if (typeof min === "number" && value < min) return wrong("too_small", `must be at least ${min}`);
    if (typeof max === "number" && value > max) return wrong("too_big", `must be at most ${max}`);
  }
  if (minLength !== undefined || maxLength !== undefined) {
    const length = lengthOf(value);
    if (length === null) return wrong("invalid_type", "must be a text or a list");
    if (minLength !== undefined && length < minLength) return wrong("too_small", `must have at least ${minLength}`);
    if (maxLength !== undefined && length > maxLength) return wrong("too_big", `must have at most ${maxLength}`);
  }
  if (oneOf !== undefined && !oneOf.includes(value as never))
    return wrong(
      "invalid_value",
      `must be one of ${oneOf
        .map((item) => JSON.stringify(item))
        .join(", ")
        .slice(0, 200)}`,
    );
  if (equals !== undefined && !isFactRef(equals) && value !== equals)
    return wrong("invalid_value", `must be ${JSON.stringify(equals).slice(0, 200)}`);
  if (pattern !== null) {
    if (typeof value !== "string") return wrong("invalid_type", "must be a string");
    if (!pattern.test(value)) return wrong("invalid_format", "does not match its pattern");
  }
  return null;
};

const wrong = (type: string, msg: string): Wrong => ({ type, msg });

/** In UTF-16 code units, as zod counts; elements of a list. */
const lengthOf = (value: WireValue): number | null =>
  typeof value === "string" ? value.length : Array.isArray(value) ? value.length : null;

/** What a bound adds to the advertised schema, by its JSON Schema keywords; null where one cannot be joined with what stands there. */
export const advertised = (node: JsonObject, terms: BoundTerms): JsonObject | null => {
  const isList = node.type === "array";
  const added: [keyword: string, value: JsonValue, joined: (old: JsonValue, mine: JsonValue) => JsonValue | null][] =
    [];
  const { min, max, minLength, maxLength, oneOf, pattern, equals } = terms;
  const larger = (old: JsonValue, mine: JsonValue): JsonValue => Math.max(old as number, mine as number);
  const smaller = (old: JsonValue, mine: JsonValue): JsonValue => Math.min(old as number, mine as number);
  const alone = (): null => null;
  if (typeof min === "number") added.push(["minimum", min, larger]);
  if (typeof max === "number") added.push(["maximum", max, smaller]);
  if (minLength !== undefined) added.push([isList ? "minItems" : "minLength", minLength, larger]);
  if (maxLength !== undefined) added.push([isList ? "maxItems" : "maxLength", maxLength, smaller]);
  if (oneOf !== undefined) added.push(["enum", oneOf, alone]);
  if (pattern !== undefined) added.push(["pattern", pattern, alone]);
  if (equals !== undefined && !isFactRef(equals)) added.push(["const", equals, alone]);
  const next: Record<string, JsonValue> = { ...node };
  for (const [keyword, value, joined] of added) {
    const old = next[keyword];
    const both = old === undefined ? value : joined(old, value);
    if (both === null) return null;
    next[keyword] = both;
  }
  return next;
};
