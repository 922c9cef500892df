import { suspectsIn } from "../../../rules/packs/injection/judge.ts";
import { textsOf } from "../../../rules/scan/texts.ts";
import { loadParser } from "../../../rules/text/markup/html.ts";
import { loadLookAlikes } from "../../../rules/text/normalise/look-alikes.ts";
import { actionOf, type Finding, type ItemDrift, type SurfaceDrift } from "../finding.ts";
import { itemKey, type Surface, type SurfaceItem } from "../surface.ts";
import { driftOf, worstOf } from "./drift-of.ts";

/** What reads letters of other scripts and markup is loaded once, so that classifying never waits. */
await Promise.all([loadLookAlikes(), loadParser()]);

/** The names of another server's tools, as the client shows them to its model beside these. */
export interface OtherServer {
  readonly server: string;
  readonly tools: readonly string[];
}

/** What became of a server since its baseline was approved, and what that introduces. Pure; linear in the size of what changed. */
export const classifySurface = (
  approved: Surface,
  observed: Surface,
  _others: readonly OtherServer[],
): SurfaceDrift => {
  const before = new Map(approved.items.map((item) => [itemKey(item), item]));
  const items: ItemDrift[] = [];
  for (const item of observed.items) {
    const known = before.get(itemKey(item));
    before.delete(itemKey(item));
    if (known?.hash === item.hash) continue;
    items.push(known === undefined ? classifyNewItem(item, _others) : driftOf(known, item, changed(item)));
  }
  for (const item of before.values())
    if (observed.listed.includes(item.kind))
      items.push(driftOf(item, null, [found("tool_removed", "moderate", "it is no longer offered")]));
  const severity = worstOf(items.flatMap(({ findings }) => findings));
  return Object.freeze({
    severity,
    action: actionOf[severity],
    findings: Object.freeze([]),
    items: Object.freeze(items),
  });
};

/** An item that nothing is known of, judged alone. */
export const classifyNewItem = (item: SurfaceItem, _others: readonly OtherServer[]): ItemDrift =>
  driftOf(null, item, [
    found("tool_added", "high", "it was not offered when the server was approved"),
    ...hostile(item),
  ]);

const found = (type: Finding["type"], severity: Finding["severity"], reason: string): Finding => ({
  type,
  severity,
  path: null,
  reason,
  relation: null,
});

const hostile = ({ definition }: SurfaceItem): readonly Finding[] =>
  suspectsIn(textsOf(definition), "", 0.6).map(({ text }) => ({
    ...found("hostile_definition", "critical", "it speaks to the model that reads it"),
    path: text.place,
  }));

const changed = (item: SurfaceItem): readonly Finding[] => [
  found("description_changed", "minor", "its definition changed"),
  ...hostile(item),
];
