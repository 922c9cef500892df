import type { WireValue } from "../../../../wire/value.ts";
import type { Finding, Severity, SurfaceFindingType } from "../../finding.ts";
import { mostSchemaNodes } from "../limits.ts";
import { type FieldKind, fieldKinds, isPowerful } from "../names/field-kinds.ts";
import { shownName, shownPath } from "../names/shown.ts";
import { isObject, own } from "./document.ts";
import type { SchemaFact } from "./fact.ts";
import { letsMoreIn } from "./pattern-probes.ts";

/** Arguments that a model makes up, or results that it reads: more of the first is power, more of the second is data. */
export type Side = "input" | "output";

/** What a difference of two schemas means. One finding a fact, and one for each telling field in what came. */
export const judgeFact = (fact: SchemaFact, side: Side): readonly Finding[] => {
  const found = (
    type: SurfaceFindingType,
    severity: Severity,
    reason: string,
    relation: Finding["relation"] = null,
  ): Finding => ({
    type,
    severity,
    path: shownPath(fact.path),
    reason,
    relation,
  });
  const name = shownName(fact.field);
  const kinds = fieldKinds(fact.field);
  switch (fact.kind) {
    case "field_added":
      return [
        fact.isRequired
          ? found("required_field_added", "moderate", `${name} is new and required`)
          : found("schema_field_added", "minor", `${name} is new`),
        ...telling(fact.field, fact.schema, side, fact.path),
      ];
    case "field_removed":
      return kinds.has("safety") && side === "input"
        ? [found("schema_field_removed", "high", `${name}, by which a call was kept safe, is gone`)]
        : [found("schema_field_removed", "moderate", `${name} is gone`)];
    case "field_renamed":
      return [
        found("field_renamed", "moderate", `${shownName(fact.from)} is called ${name} now`),
        ...telling(fact.field, fact.schema, side, fact.path),
      ];
    case "made_required":
      return [found("required_field_added", "minor", `${name} is required now`, "narrowed")];
    case "made_optional":
      return kinds.has("safety")
        ? [
            found(
              "required_field_removed",
              "high",
              `${name}, by which a call was kept safe, may be left out`,
              "widened",
            ),
          ]
        : [found("required_field_removed", "moderate", `${name} may be left out`, "widened")];
    case "type":
      return [
        found(
          "param_type_changed",
          fact.relation === "narrowed" ? "minor" : "moderate",
          `the type of ${name} changed`,
          fact.relation,
        ),
      ];
    case "values":
      return [found(...valuesChanged(fact.relation, fact.added, kinds, side, name), fact.relation)];
    case "bound":
      return [
        found(...boundChanged(fact, kinds, side, name), fact.relation),
        ...(fact.after === undefined ? [] : inside(fact.after, side, fact.path)),
      ];
    case "default":
      return [
        found("default_changed", defaultSeverity(fact.after, fact.before, kinds), `the default of ${name} changed`),
      ];
    case "incomparable":
      return [
        found(
          "schema_incomparable",
          fact.why === "unknown_keyword" ? "moderate" : "high",
          incomparable[fact.why],
          "incomparable",
        ),
      ];
  }
};

const incomparable = {
  too_large: "the schema is too large to be compared: what it accepts may be anything",
  refers_outside: "the schema refers to another document, which may say anything",
  refers_nowhere: "the schema refers to something that is not there",
  unknown_keyword: "a keyword that is not of JSON Schema 2020-12 changed",
} as const;

const telling = (field: string, schema: WireValue, side: Side, path: string): readonly Finding[] => [
  ...tellingField(field, schema, side, path),
  ...inside(schema, side, path),
];

/** Fields of any depth in what came, as far as schemas are compared. */
const inside = (schema: WireValue, side: Side, path: string): readonly Finding[] => {
  const found: Finding[] = [];
  let left = mostSchemaNodes / 4;
  const visit = (value: WireValue, at: string, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > 32 || left-- <= 0) return;
    if (isObject(value)) {
      const properties = own(value, "properties");
      if (isObject(properties))
        for (const [name, inner] of Object.entries(properties))
          found.push(...tellingField(name, inner, side, `${at}.properties.${name}`));
      for (const [keyword, inner] of Object.entries(value)) visit(inner, `${at}.${keyword}`, depth + 1);
    } else if (Array.isArray(value))
      for (const [index, inner] of value.entries()) visit(inner as WireValue, `${at}[${index}]`, depth + 1);
  };
  visit(schema, path, 0);
  return found;
};

const tellingField = (field: string, schema: WireValue, side: Side, path: string): readonly Finding[] => {
  const kinds = fieldKinds(field);
  const name = shownName(field);
  const found = (type: SurfaceFindingType, severity: Severity, reason: string): Finding => ({
    type,
    severity,
    path: shownPath(path),
    reason,
    relation: null,
  });
  const findings: Finding[] = [];
  const isFlag = isObject(schema) && ["boolean", "integer", "number"].includes(String(own(schema, "type")));
  if (kinds.has("secret") && !isFlag)
    findings.push(found("sensitive_field_added", "high", `${name} is new, and named like a secret`));
  if (kinds.has("sensitive") && !isFlag) {
    const type = side === "input" ? "sensitive_field_added" : "data_class_escalated";
    findings.push(found(type, "high", `${name} is new, and named like what is private`));
  } else if (kinds.has("personal")) {
    const type = side === "input" ? "sensitive_field_added" : "data_class_escalated";
    findings.push(found(type, "moderate", `${name} is new, and named like what is personal`));
  }
  if (side === "output") return findings;
  if (kinds.has("sink") && !isFlag)
    findings.push(found("sink_added", "high", `${name} is new, and says where something is sent`));
  if (kinds.has("harvest") && !isFlag)
    findings.push(
      found("sensitive_field_added", "high", `${name} is new, and named like what the model knows from its session`),
    );
  if (kinds.has("delegation"))
    findings.push(found("identity_mode_escalated", "high", `${name} is new, and has calls made in another's name`));
  if (kinds.has("command") && !isFlag)
    findings.push(found("effect_escalated", "moderate", `${name} is new, and named like what is run`));
  if (kinds.has("risk"))
    findings.push(found("effect_escalated", "moderate", `${name} is new, and named like what takes a safeguard away`));
  return findings;
};

type Judged = readonly [SurfaceFindingType, Severity, string];

/** Kinds of fields whose limits keep a call harmless. */
const guarded: readonly FieldKind[] = [
  "money",
  "path",
  "address",
  "recipient",
  "command",
  "privilege",
  "safety",
  "delegation",
  "sink",
];

/** Where a pattern that nobody can try counts as wider. */
const strict: readonly FieldKind[] = ["path", "command", "delegation", "sink", "money"];

const isGuarded = (kinds: ReadonlySet<FieldKind>): boolean => guarded.some((kind) => kinds.has(kind));

const valuesChanged = (
  relation: Finding["relation"],
  added: readonly WireValue[] | null,
  kinds: ReadonlySet<FieldKind>,
  side: Side,
  name: string,
): Judged => {
  if (relation === "narrowed") return ["constraint_tightened", "minor", `${name} accepts fewer values`];
  if (side === "output") return ["constraint_relaxed", "minor", `${name} may have other values`];
  if (added === null) {
    return ["constraint_relaxed", isGuarded(kinds) ? "high" : "moderate", `${name} accepts any value now`];
  }
  const isMore = added.some((value) => typeof value === "string" && isPowerful(value));
  if (isMore) return ["constraint_relaxed", "high", `${name} accepts a value by which more can be done`];
  const isSwapped =
    relation === "incomparable" && (kinds.has("privilege") || kinds.has("recipient") || kinds.has("address"));
  return ["constraint_relaxed", isSwapped ? "high" : "moderate", `${name} accepts other values`];
};

/** A limit that grows by less than this is a limit that was adjusted. */
const adjustment = 10;

const boundChanged = (
  { keyword, relation, before, after }: Extract<SchemaFact, { kind: "bound" }>,
  kinds: ReadonlySet<FieldKind>,
  side: Side,
  name: string,
): Judged => {
  const what = name === '""' ? keyword : `${keyword} of ${name}`;
  if (relation === "narrowed") return ["constraint_tightened", "minor", `${what} asks for more`];
  if (side === "output") return ["constraint_relaxed", "minor", `${what} changed`];
  const isGone = after === undefined;
  const isFar =
    typeof before === "number" &&
    typeof after === "number" &&
    Math.abs(after) >= adjustment * Math.max(1, Math.abs(before));
  if (keyword === "maximum" || keyword === "minimum") {
    const severity = kinds.has("money") && (isGone || isFar || keyword === "minimum") ? "high" : "moderate";
    return ["constraint_relaxed", severity, `${what} ${isGone ? "is gone" : "is wider"}`];
  }
  if (keyword === "pattern" && typeof before === "string" && typeof after === "string") {
    const isMore = letsMoreIn(before, after);
    const severity =
      isMore === true || (isMore === null && strict.some((kind) => kinds.has(kind))) ? "high" : "moderate";
    return ["constraint_relaxed", severity, `${what} ${isMore ? "lets in what it kept out" : "is another"}`];
  }
  if (keyword === "pattern" || keyword === "format" || keyword === "not")
    return [
      "constraint_relaxed",
      isGuarded(kinds) && isGone && keyword !== "format" ? "high" : "moderate",
      `${what} ${isGone ? "is gone" : "is another"}`,
    ];
  if (keyword === "maxItems") {
    const severity = kinds.has("recipient") && (isGone || isFar) ? "high" : "moderate";
    return ["constraint_relaxed", severity, `${what} ${isGone ? "is gone" : "is wider"}`];
  }
  if (
    keyword === "anyOf" &&
    opensAny(after) &&
    [...strict, "recipient" as const, "privilege" as const].some((kind) => kinds.has(kind))
  )
    return ["constraint_relaxed", "high", `${what} has a branch that accepts any text`];
  if (relation === "incomparable") return ["schema_incomparable", "moderate", `${what} accepts something else`];
  return ["constraint_relaxed", "moderate", `${what} asks for less`];
};

/** A branch without a list, a pattern or a value. */
const opensAny = (branch: WireValue | undefined): boolean =>
  isObject(branch) &&
  own(branch, "type") === "string" &&
  ["enum", "const", "pattern", "format"].every((keyword) => own(branch, keyword) === undefined);

/** Where a default is an address or a path, the text in it is judged as well. */
const defaultSeverity = (
  after: WireValue | undefined,
  before: WireValue | undefined,
  kinds: ReadonlySet<FieldKind>,
): Severity => {
  if (after === undefined) return kinds.has("safety") && before === true ? "high" : "moderate";
  if (kinds.has("safety") && before !== undefined && after !== true && before !== false) return "high";
  if (kinds.has("safety") && after === false) return "high";
  if (kinds.has("risk") && after === true) return "high";
  if (typeof after === "string" && isPowerful(after) && typeof before === "string") return "high";
  return before === undefined ? "minor" : "moderate";
};
