import type { WireObject, WireValue } from "../../../../wire/value.ts";
import type { Finding, Severity, SurfaceFindingType } from "../../finding.ts";
import { wordSet } from "../names/words.ts";
import { isObject, own } from "../schema/document.ts";
import { type Effect, hasAny } from "./effects.ts";

/** What a server says of its own tool. It may frighten, and never reassure. */
export interface Claims {
  readonly readOnlyHint: boolean | null;
  readonly destructiveHint: boolean | null;
  readonly openWorldHint: boolean | null;
  readonly sideEffect: string | null;
  readonly externality: string | null;
  readonly identityMode: string | null;
  readonly effects: ReadonlySet<string>;
  readonly dataClasses: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
}

export const claimsOf = (definition: WireObject): Claims => {
  const annotations = own(definition, "annotations");
  const hint = (name: string): boolean | null => {
    const value = isObject(annotations) ? own(annotations, name) : undefined;
    return typeof value === "boolean" ? value : null;
  };
  const meta = metaOf(definition);
  return {
    readOnlyHint: hint("readOnlyHint"),
    destructiveHint: hint("destructiveHint"),
    openWorldHint: hint("openWorldHint"),
    sideEffect: textOf(meta, ["side_effect", "sideEffect"]),
    externality: textOf(meta, ["externality"]),
    identityMode: textOf(meta, ["identity_mode", "identityMode"]),
    effects: listOf(meta, ["effects"]),
    dataClasses: listOf(meta, ["data_classes", "dataClasses"]),
    scopes: listOf(meta, ["required_scopes", "requiredScopes", "scopes"]),
  };
};

/** `_meta.interlock`, `_meta.security`, and their dotted spellings, as one. */
const metaOf = (definition: WireObject): ReadonlyMap<string, WireValue> => {
  const found = new Map<string, WireValue>();
  const meta = own(definition, "_meta");
  if (!isObject(meta)) return found;
  for (const [name, value] of Object.entries(meta)) {
    if ((name === "interlock" || name === "security") && isObject(value))
      for (const [inner, one] of Object.entries(value)) found.set(inner, one);
    const dotted = /(?:^|[./])(?:interlock|security)[./](\w+)$|\.(requiredScopes)$/.exec(name);
    if (dotted !== null) found.set(dotted[1] ?? dotted[2]!, value);
  }
  return found;
};

const textOf = (meta: ReadonlyMap<string, WireValue>, names: readonly string[]): string | null => {
  const value = names.map((name) => meta.get(name)).find((one) => typeof one === "string");
  return typeof value === "string" ? value.toLowerCase() : null;
};

const listOf = (meta: ReadonlyMap<string, WireValue>, names: readonly string[]): ReadonlySet<string> => {
  const value = names.map((name) => meta.get(name)).find(Array.isArray) as readonly WireValue[] | undefined;
  return new Set(
    (value ?? []).filter((one) => typeof one === "string").map((one) => one.toLowerCase().replaceAll("-", "_")),
  );
};

const sideEffects = ["read_only", "mutating", "destructive"];
const externalities = ["internal", "external"];
const identityModes = ["authenticated_user", "delegated_agent", "service_account"];
const strongScope = wordSet(
  "write delete share export admin execute send message create update modify manage all full owner",
);
const strongEffects = wordSet("execute delete share export message");
const strongClasses = wordSet("pii phi financial legal secrets");

/** Effects that a name does not have by accident: `add` may add numbers. */
const plain: ReadonlySet<Effect> = new Set<Effect>(["delete", "message", "share", "update"]);

/** What changed of the claims, `effects` by the tool's name and approved text. Losing a claim says nothing and is not held. */
export const claimFindings = (before: Claims, after: Claims, effects: ReadonlySet<Effect>): readonly Finding[] => {
  const findings: Finding[] = [];
  const add = (type: SurfaceFindingType, severity: Severity, path: string, reason: string): void => {
    findings.push({ type, severity, path, reason, relation: null });
  };
  const changes = hasAny(effects, plain);
  const reads = effects.has("read");
  if (before.readOnlyHint === true && after.readOnlyHint === false)
    add(
      "side_effect_escalated",
      reads ? "high" : "moderate",
      "annotations.readOnlyHint",
      "the tool is said to change something now",
    );
  if (before.readOnlyHint !== true && after.readOnlyHint === true && changes)
    add(
      "metadata_downgraded",
      "high",
      "annotations.readOnlyHint",
      "the tool is said to change nothing, and its name says otherwise",
    );
  else if (before.readOnlyHint === false && after.readOnlyHint === true)
    add("metadata_downgraded", "moderate", "annotations.readOnlyHint", "the tool is said to change nothing any more");
  if (before.destructiveHint === true && after.destructiveHint === false)
    add(
      "metadata_downgraded",
      "critical",
      "annotations.destructiveHint",
      "the tool is said to destroy nothing any more",
    );
  else if (before.destructiveHint !== false && after.destructiveHint === false && effects.has("delete"))
    add(
      "metadata_downgraded",
      "high",
      "annotations.destructiveHint",
      "the tool is said to destroy nothing, and its name says otherwise",
    );
  if (before.destructiveHint === false && after.destructiveHint === true)
    add(
      "side_effect_escalated",
      before.readOnlyHint === true || reads ? "critical" : "moderate",
      "annotations.destructiveHint",
      "the tool is said to destroy something now",
    );
  if (
    before.readOnlyHint === true &&
    after.readOnlyHint !== true &&
    before.destructiveHint === null &&
    after.destructiveHint === true
  )
    add(
      "side_effect_escalated",
      "critical",
      "annotations.destructiveHint",
      "the tool was said to change nothing, and is said to destroy now",
    );
  if (before.openWorldHint === false && after.openWorldHint === true)
    add("externality_escalated", "high", "annotations.openWorldHint", "the tool is said to reach outside now");
  if (before.openWorldHint === true && after.openWorldHint === false)
    add("metadata_downgraded", "moderate", "annotations.openWorldHint", "the tool is said to stay inside now");
  for (const [type, one, other, order] of [
    ["side_effect_escalated", before.sideEffect, after.sideEffect, sideEffects],
    ["externality_escalated", before.externality, after.externality, externalities],
    ["identity_mode_escalated", before.identityMode, after.identityMode, identityModes],
  ] as const) {
    if (one === null || other === null || one === other) continue;
    const isMore = order.indexOf(other) > order.indexOf(one);
    if (isMore)
      add(
        type,
        other === "destructive" ? "critical" : "high",
        "_meta",
        "the server claims more of its tool than before",
      );
    else
      add(
        "metadata_downgraded",
        type === "side_effect_escalated" ? "high" : "moderate",
        "_meta",
        "the server claims less of its tool than before",
      );
  }
  // A first claim is no news of a tool whose name says as much.
  if (before.sideEffect === null && after.sideEffect === "destructive" && reads)
    add("side_effect_escalated", "critical", "_meta", "the server claims that a tool which reads destroys");
  if (before.effects.size === 0 && reads)
    for (const effect of after.effects)
      if (strongEffects.has(effect))
        add("effect_escalated", "critical", "_meta", "the server claims that a tool which reads does more");
  for (const effect of after.effects)
    if (!before.effects.has(effect) && before.effects.size > 0)
      add(
        "effect_escalated",
        strongEffects.has(effect) ? "critical" : "high",
        "_meta",
        "the server claims another effect of its tool",
      );
  for (const name of after.dataClasses)
    if (!before.dataClasses.has(name) && before.dataClasses.size > 0)
      add(
        "data_class_escalated",
        strongClasses.has(name) ? "high" : "moderate",
        "_meta",
        "the server claims another class of data",
      );
  for (const scope of after.scopes)
    if (!before.scopes.has(scope))
      add("scope_escalated", isStrong(scope) ? "high" : "moderate", "_meta", "the tool asks for another scope");
  return findings;
};

const isStrong = (scope: string): boolean => scope.split(/[^a-z0-9]+|_/).some((word) => strongScope.has(word));
