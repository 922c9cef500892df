import { isPlainObject } from "../plain-object.ts";
import type { ListName } from "./listing.ts";

export type HeldKind = "instructions" | "prompt" | "resource" | "template" | "tool";

/** What must neither be shown to a model nor be called. */
export interface HeldItem {
  readonly kind: HeldKind;
  readonly name: string;
  readonly action: string;
  readonly reason: string;
}

const kinds: readonly string[] = ["instructions", "prompt", "resource", "template", "tool"];

/** `{held: [{kind, name, action, reason}]}` of the answer to a report. Null where it is something else: then nothing is known to be free. */
export const heldItems = (answer: unknown): readonly HeldItem[] | null => {
  if (!isPlainObject(answer) || !Array.isArray(answer.held)) return null;
  const held = (answer.held as unknown[]).map(heldItem);
  return held.includes(null) ? null : (held as HeldItem[]);
};

const heldItem = (item: unknown): HeldItem | null => {
  if (!isPlainObject(item)) return null;
  const { kind, name, action, reason } = item;
  if (typeof kind !== "string" || !kinds.includes(kind) || typeof name !== "string") return null;
  return Object.freeze({
    kind: kind as HeldKind,
    name,
    action: typeof action === "string" ? action : "deny",
    reason: typeof reason === "string" ? reason : "",
  });
};

/** Of each list the kind of its items, and the member that names one. */
export const itemsOf: Readonly<Record<ListName, { readonly kind: HeldKind; readonly named: string }>> = Object.freeze({
  tools: { kind: "tool", named: "name" },
  prompts: { kind: "prompt", named: "name" },
  resources: { kind: "resource", named: "uri" },
  resource_templates: { kind: "template", named: "uriTemplate" },
});
