import type { SeenSurface } from "./seen-surface.ts";
import type { KnownServer } from "./state/known-server.ts";
import { holds, type ItemState } from "./state/record.ts";
import { type ItemRef, itemKey, type Surface } from "./surface.ts";

/** An item that must not be shown to a model, nor called. `name` is the server's own text. */
export interface HeldItem extends ItemRef {
  readonly action: "deny" | "quarantine";
  /** One line: the types of what was found. */
  readonly reason: string;
}

/** What is held of a listing: what differs from what was approved, and what is quarantined whatever it is by now. */
export const heldItems = (observed: Surface, known: KnownServer, seen: SeenSurface): readonly HeldItem[] => {
  const states = new Map(known.record.items.map((state) => [itemKey(state), state]));
  const held: HeldItem[] = [];
  for (const { kind, name, hash } of observed.items) {
    const key = itemKey({ kind, name });
    const state = states.get(key);
    const drift = seen.drifted.get(key);
    const action = state?.action === "quarantine" ? "quarantine" : (drift?.action ?? "allow");
    if (!holds(action) || (action === "deny" && known.approved.get(key) === hash)) continue;
    held.push({ kind, name, action, reason: reasonOf(state) });
  }
  return held;
};

const reasonOf = (state: ItemState | undefined): string => {
  const types = [...new Set(state?.findings.map(({ type }) => type))];
  return types.length === 0 ? "an operator quarantined it" : types.slice(0, 8).join(", ");
};
