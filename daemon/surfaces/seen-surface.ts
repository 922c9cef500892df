import type { DriftAction, SurfaceDrift } from "./finding.ts";
import { selfOf } from "./state/judge-report.ts";
import { hashesOf, holds } from "./state/record.ts";
import { type ItemKind, itemKey, type Surface } from "./surface.ts";

/** What one session was shown of a server, and what was found of it against the baseline that stood then. */
export interface SeenSurface {
  readonly listed: readonly ItemKind[];
  /** Hash of each item by its key. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Of each item that was not as approved. */
  readonly drifted: ReadonlyMap<string, SeenDrift>;
  /** Is the server itself another than was approved, and by which baseline; null where it is not, or only a little. */
  readonly self: { readonly baseline: number } | null;
  /** URI templates, for resources that are read by them. */
  readonly templates: readonly string[];
}

export interface SeenDrift {
  readonly action: DriftAction;
  /** By which approved hash it was judged: where another is approved since, it has to be reported anew. */
  readonly approved_hash: string | null;
}

export const seenSurface = (observed: Surface, drift: SurfaceDrift, baseline: number): SeenSurface => {
  const self = selfOf(drift.findings, 0);
  return Object.freeze({
    listed: observed.listed,
    hashes: hashesOf(observed.items),
    drifted: new Map(
      drift.items.map((item) => [itemKey(item), { action: item.action, approved_hash: item.approved_hash }]),
    ),
    self: self !== null && holds(self.action) ? { baseline } : null,
    templates: observed.items.filter(({ kind }) => kind === "template").map(({ name }) => name),
  });
};
