import type { Finding, SurfaceFindingType } from "../finding.ts";
import type { ItemKind } from "../surface.ts";

const types: Readonly<Record<ItemKind, SurfaceFindingType>> = {
  instructions: "instructions_changed",
  prompt: "prompt_changed",
  resource: "resource_changed",
  template: "resource_changed",
  tool: "tool_removed",
};

/** What is not offered cannot be called; should it come back, it is compared with what was approved. */
export const lost = ({ kind }: { readonly kind: ItemKind }): Finding => ({
  type: types[kind],
  severity: kind === "tool" ? "moderate" : "minor",
  path: null,
  reason: "it is no longer offered",
  relation: null,
});
