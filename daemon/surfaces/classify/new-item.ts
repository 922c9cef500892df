import type { Finding, ItemDrift, Severity } from "../finding.ts";
import type { SurfaceItem } from "../surface.ts";
import { driftOf } from "./drift-of.ts";
import { claimsOf } from "./metadata/claims.ts";
import { effectsOfName } from "./metadata/effects.ts";
import { type Likeness, likeness, skeletonOf } from "./names/look-alikes.ts";
import { shownName } from "./names/shown.ts";
import type { Neighbours } from "./server-words.ts";
import { hiddenKinds } from "./text/signs/hidden.ts";
import { textFindings } from "./text-findings.ts";

/** An item that nothing is known of: held until somebody approves it, and quarantined where it is hostile by itself. */
export const judgeNewItem = (item: SurfaceItem, neighbours: Neighbours, renamedFrom: SurfaceItem | null): ItemDrift =>
  driftOf(null, item, [
    added(item, renamedFrom),
    ...nameFindings(item, neighbours),
    ...lieFindings(item),
    ...textFindings(null, item, neighbours),
  ]);

/** Resources come and go as files do; what a model may call, or is told, is held. */
const severities: Readonly<Record<SurfaceItem["kind"], Severity>> = {
  instructions: "high",
  prompt: "high",
  resource: "minor",
  template: "high",
  tool: "high",
};

const added = ({ kind }: SurfaceItem, renamedFrom: SurfaceItem | null): Finding => {
  if (renamedFrom !== null)
    return {
      type: "tool_renamed",
      severity: "high",
      path: null,
      reason: `it is ${shownName(renamedFrom.name)} under another name`,
      relation: null,
    };
  const type =
    kind === "tool"
      ? "tool_added"
      : kind === "prompt"
        ? "prompt_changed"
        : kind === "instructions"
          ? "instructions_changed"
          : "resource_changed";
  return {
    type,
    severity: severities[kind],
    path: null,
    reason: "it was not offered when the server was approved",
    relation: null,
  };
};

const nameFindings = ({ kind, name }: SurfaceItem, { alike }: Neighbours): readonly Finding[] => {
  const findings: Finding[] = [];
  if (kind !== "tool" && kind !== "prompt") return findings;
  const add = (type: Finding["type"], severity: Severity, reason: string): void => {
    findings.push({ type, severity, path: "name", reason, relation: null });
  };
  if (hiddenKinds(name).size > 0) add("hostile_definition", "critical", "its name has letters that nobody sees");
  if (kind !== "tool") return findings;
  for (const { name: other, server } of alike.get(skeletonOf(name)) ?? []) {
    const is = likeness(name, other);
    if (server !== null) {
      const reason = `${is === "same" ? "it has the name of" : "its name is taken for"} ${shownName(other)} of the server ${shownName(server)}`;
      add("name_collision", collisions[is], reason);
    } else if (is !== "same") {
      const severity = is === "disguised" ? "critical" : "high";
      add("duplicate_name", severity, `its name is taken for ${shownName(other)} of the same server`);
    }
  }
  return findings;
};

const collisions: Readonly<Record<Likeness, Severity>> = {
  same: "high",
  disguised: "critical",
  alike: "high",
  none: "none",
};

/** A claim that the name contradicts. */
const lieFindings = ({ name, kind, definition }: SurfaceItem): readonly Finding[] => {
  if (kind !== "tool") return [];
  const { readOnlyHint, destructiveHint } = claimsOf(definition);
  const effects = effectsOfName(name);
  if (!effects.has("delete") || (readOnlyHint !== true && destructiveHint !== false)) return [];
  return [
    {
      type: "metadata_downgraded",
      severity: "high",
      path: "annotations",
      reason: "it is said to destroy nothing, and its name says otherwise",
      relation: null,
    },
  ];
};
