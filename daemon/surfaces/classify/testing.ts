import { createHash } from "node:crypto";
import { canonicalJson } from "../../../wire/canonical.ts";
import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import { type ItemKind, itemKey, type Surface, type SurfaceItem } from "../surface.ts";

const hashOf = (json: JsonValue): string => `sha256:${createHash("sha256").update(canonicalJson(json)).digest("hex")}`;

const nameOf = (kind: ItemKind, definition: JsonObject): string => {
  if (kind === "instructions") return "";
  const member = kind === "resource" ? "uri" : kind === "template" ? "uriTemplate" : "name";
  return String(definition[member]);
};

/** Items and surfaces for tests and the measured set, from definitions as a listing has them. */
export const itemOf = (kind: ItemKind, definition: JsonObject): SurfaceItem =>
  Object.freeze({ kind, name: nameOf(kind, definition), definition, hash: hashOf(definition) });

export const toolOf = (definition: JsonObject): SurfaceItem => itemOf("tool", definition);

const everyKind: readonly ItemKind[] = ["instructions", "prompt", "resource", "template", "tool"];

export const surfaceOf = (items: readonly SurfaceItem[], parts: Partial<Surface> = {}): Surface => {
  const sorted = [...items].sort((one, other) => (itemKey(one) < itemKey(other) ? -1 : 1));
  return Object.freeze({
    server: "server",
    credential: null,
    identity: null,
    listed: everyKind,
    items: sorted,
    hash: hashOf(sorted.map(({ kind, name, hash }) => [kind, name, hash])),
    ...parts,
  });
};
