import type { WireObject } from "../../../wire/value.ts";
import type { Finding, Severity } from "../finding.ts";
import { fieldKinds } from "./names/field-kinds.ts";
import { shownName } from "./names/shown.ts";
import { isObject, own } from "./schema/document.ts";

/** What became of the arguments that a prompt takes. */
export const argumentFindings = (before: WireObject, after: WireObject): readonly Finding[] => {
  const [one, other] = [argumentsOf(before), argumentsOf(after)];
  const findings: Finding[] = [];
  const add = (severity: Severity, name: string, reason: string): void => {
    findings.push({
      type: "prompt_changed",
      severity,
      path: "arguments",
      reason: `${shownName(name)} ${reason}`,
      relation: null,
    });
  };
  for (const [name, isRequired] of other) {
    const wasRequired = one.get(name);
    if (wasRequired === undefined) {
      const kinds = fieldKinds(name);
      const isTelling = kinds.has("secret") || kinds.has("sensitive") || kinds.has("harvest") || kinds.has("sink");
      add(isTelling ? "high" : isRequired ? "moderate" : "minor", name, "is a new argument");
    } else if (wasRequired !== isRequired) add("minor", name, isRequired ? "is required now" : "may be left out");
  }
  for (const name of one.keys()) if (!other.has(name)) add("moderate", name, "is gone");
  return findings;
};

const argumentsOf = (definition: WireObject): ReadonlyMap<string, boolean> => {
  const listed = own(definition, "arguments");
  const found = new Map<string, boolean>();
  for (const argument of Array.isArray(listed) ? listed : []) {
    if (!isObject(argument)) continue;
    const name = own(argument, "name");
    if (typeof name === "string") found.set(name, own(argument, "required") === true);
  }
  return found;
};
