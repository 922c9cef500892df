import { loadParser } from "../../../rules/text/markup/html.ts";
import { loadLookAlikes } from "../../../rules/text/normalise/look-alikes.ts";
import { actionOf, type ItemDrift, type SurfaceDrift } from "../finding.ts";
import { itemKey, type Surface, type SurfaceItem } from "../surface.ts";
import { compareItem } from "./compare-item.ts";
import { driftOf, inOrder, worstOf } from "./drift-of.ts";
import { lost } from "./lost-item.ts";
import { judgeNewItem } from "./new-item.ts";
import type { OtherServer } from "./other-server.ts";
import { renamedItems } from "./renamed-items.ts";
import { serverFindings } from "./server-findings.ts";
import { neighboursOf } from "./server-words.ts";

export type { OtherServer } from "./other-server.ts";

/*
 * The parts, in the order in which a listing passes them:
 *
 * - `index.ts` pairs items by kind and name; equal hashes are done. `renamed-items.ts`, `new-item.ts`, `lost-item.ts`, `server-findings.ts`: what has no partner.
 * - `compare-item.ts`: one item that changed. `schema/` compares what is accepted, keyword by keyword, and judges each difference; `metadata/`
 *   what the server claims and what name and text say that the tool does; `text-findings.ts` every text of it.
 * - `text/`: a text is read as it is seen (`token.ts`), what of it was approved is set apart (`known-text.ts`), and the sentences with something new are looked at by
 *   the files of `signs/`, each for one thing that a definition has no use for.
 * - `drift-of.ts`: findings become a severity, and that an action. Reasons are ours; of a definition they hold names and paths.
 */

/** What reads letters of other scripts and markup is loaded once, so that classifying never waits. */
await Promise.all([loadLookAlikes(), loadParser()]);

/** What became of a server since its baseline was approved, and what that introduces. Pure; linear in the size of what changed. */
export const classifySurface = (approved: Surface, observed: Surface, others: readonly OtherServer[]): SurfaceDrift => {
  const before = new Map(approved.items.map((item) => [itemKey(item), item]));
  const after = new Set(observed.items.map(itemKey));
  const changed = observed.items.filter((item) => before.get(itemKey(item))?.hash !== item.hash);
  const gone = approved.items.filter((item) => !after.has(itemKey(item)) && observed.listed.includes(item.kind));
  const renamed = renamedItems(
    gone,
    changed.filter((item) => !before.has(itemKey(item))),
  );
  const neighbours = changed.length === 0 ? null : neighboursOf(approved, observed.items, others);
  const items = [
    ...changed.map((item): ItemDrift => {
      const known = before.get(itemKey(item));
      if (known !== undefined) return compareItem(known, item, neighbours!);
      return judgeNewItem(item, neighbours!, renamed.get(itemKey(item)) ?? null);
    }),
    ...gone.map((item) => driftOf(item, null, [lost(item)])),
  ];
  const findings = inOrder(serverFindings(approved, observed));
  const severity = worstOf([...findings, ...items]);
  return Object.freeze({ severity, action: actionOf[severity], findings, items: Object.freeze(items) });
};

/** An item that nothing is known of, judged alone. */
export const classifyNewItem = (item: SurfaceItem, others: readonly OtherServer[]): ItemDrift =>
  judgeNewItem(item, neighboursOf(null, [item], others), null);
