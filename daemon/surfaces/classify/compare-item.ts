import type { WireObject, WireValue } from "../../../wire/value.ts";
import type { Finding, ItemDrift, Severity, SurfaceFindingType } from "../finding.ts";
import type { SurfaceItem } from "../surface.ts";
import { driftOf } from "./drift-of.ts";
import { claimFindings, claimsOf } from "./metadata/claims.ts";
import { effectsOfName } from "./metadata/effects.ts";
import { fieldKinds } from "./names/field-kinds.ts";
import { argumentFindings } from "./prompt-arguments.ts";
import { compareSchemas } from "./schema/compare.ts";
import { isObject, own } from "./schema/document.ts";
import { isEqual } from "./schema/fingerprint.ts";
import { judgeFact } from "./schema/judge.ts";
import type { Neighbours } from "./server-words.ts";
import { textFindings } from "./text-findings.ts";

/** An item that was approved and is defined otherwise now. */
export const compareItem = (approved: SurfaceItem, observed: SurfaceItem, neighbours: Neighbours): ItemDrift =>
  driftOf(approved, observed, [
    ...memberFindings(approved, observed),
    ...(observed.kind === "tool" ? toolFindings(approved.definition, observed) : []),
    ...(observed.kind === "prompt" ? argumentFindings(approved.definition, observed.definition) : []),
    ...textFindings(approved, observed, neighbours),
  ]);

const toolFindings = (before: WireObject, { name, definition: after }: SurfaceItem): readonly Finding[] => [
  ...(["inputSchema", "outputSchema"] as const).flatMap((member) => {
    const [one, other] = [own(before, member), own(after, member)];
    // A tool that says what it returns, or no longer does, returns what it did.
    if (member === "outputSchema" && (one === undefined || other === undefined)) return [];
    const side = member === "inputSchema" ? "input" : "output";
    const findings = compareSchemas(one, other, member).flatMap((fact) => judgeFact(fact, side));
    return side === "input" && hasSink(one) ? findings.map(asFurtherSink) : findings;
  }),
  ...claimFindings(claimsOf(before), claimsOf(after), effectsOfName(name)),
];

/** A tool that had a webhook may get another option for it. */
const hasSink = (schema: WireValue | undefined): boolean => {
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  return isObject(properties) && Object.keys(properties).some((name) => fieldKinds(name).has("sink"));
};

const asFurtherSink = (finding: Finding): Finding =>
  finding.type === "sink_added" ? { ...finding, severity: "moderate" } : finding;

const changedAs: Readonly<Record<SurfaceItem["kind"], SurfaceFindingType>> = {
  instructions: "instructions_changed",
  prompt: "prompt_changed",
  resource: "resource_changed",
  template: "resource_changed",
  tool: "description_changed",
};

const compared: ReadonlySet<string> = new Set(["inputSchema", "arguments"]);

/** Each member that is another now. That it changed is minor; what it changed to is judged by others. */
const memberFindings = (approved: SurfaceItem, observed: SurfaceItem): readonly Finding[] => {
  const { definition: before } = approved;
  const { definition: after } = observed;
  const findings: Finding[] = [];
  const add = (type: SurfaceFindingType, severity: Severity, path: string, reason: string): void => {
    findings.push({ type, severity, path, reason, relation: null });
  };
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (compared.has(name) || isEqual(own(before, name), own(after, name))) continue;
    if (name === "annotations") annotationFindings(own(before, name), own(after, name), add);
    else if (name === "icons") add("icon_changed", "minor", name, "the icons changed");
    else if (name === "outputSchema" && own(before, name) !== undefined && own(after, name) !== undefined)
      add("schema_incomparable", "minor", name, "what is said of the results changed");
    else if (observed.kind === "resource" && name === "uri") continue;
    else add(changedAs[observed.kind], "minor", shownMember(name), "its text or its metadata changed");
  }
  if (
    observed.kind === "tool" &&
    !isEqual(own(before, "inputSchema"), own(after, "inputSchema")) &&
    findings.length === 0
  )
    add("description_changed", "minor", "inputSchema", "the schema of its arguments changed");
  return findings;
};

const shownMember = (name: string): string => (/^[\w$-]{1,64}$/.test(name) ? name : "a member");

const annotationFindings = (
  before: unknown,
  after: unknown,
  add: (type: SurfaceFindingType, severity: Severity, path: string, reason: string) => void,
): void => {
  const [one, other] = [before, after].map((value) => (isObject(value as WireObject) ? (value as WireObject) : {}));
  for (const name of Object.keys(one!))
    if (!Object.hasOwn(other!, name))
      add("annotation_lost", "minor", `annotations.${shownMember(name)}`, "a claim about it is gone");
  for (const name of Object.keys(other!))
    if (!isEqual(own(one!, name), own(other!, name)))
      add("description_changed", "minor", `annotations.${shownMember(name)}`, "a claim about it changed");
};
