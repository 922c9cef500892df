import { createHash } from "node:crypto";
import { canonicalJson } from "../../wire/canonical.ts";
import { Unrepresentable } from "../../wire/errors.ts";
import { fitsBytes, isObject, own } from "../../wire/fields.ts";
import { deepFreeze } from "../../wire/freeze.ts";
import { printableName } from "../../wire/printable-name.ts";
import type { SurfaceBody } from "../../wire/surface-body.ts";
import type { JsonObject, JsonValue } from "../../wire/value.ts";
import {
  maxDefinitionLength,
  maxDefinitionNodes,
  maxItemNameBytes,
  maxItemUriBytes,
  maxSurfaceItems,
  maxSurfaceLength,
} from "./limits.ts";
import { protocolActions } from "./protocol-actions.ts";
import { type ItemKind, itemKey, type Surface, type SurfaceItem } from "./surface.ts";

/** A listing that is none. `message` is one line that names the list and the place in it, and no text out of a definition. */
export class SurfaceRefused extends Error {
  override readonly name = "SurfaceRefused";
}

/** Of each list: its key in the frame, what its items are, and what names one. */
const lists = [
  { key: "prompts", kind: "prompt", member: "name", maxBytes: maxItemNameBytes },
  { key: "resources", kind: "resource", member: "uri", maxBytes: maxItemUriBytes },
  { key: "resource_templates", kind: "template", member: "uriTemplate", maxBytes: maxItemUriBytes },
  { key: "tools", kind: "tool", member: "name", maxBytes: maxItemNameBytes },
] as const;

type List = (typeof lists)[number];

/**
 * A reported listing as a surface. Sizes are looked at first; then each item is one that has a name, hashed over the whole of its
 * definition. Throws SurfaceRefused.
 */
export const parseSurfaceBody = (body: SurfaceBody): Surface => {
  const count = lists.reduce((sum, { key }) => sum + (body[key]?.length ?? 0), 0);
  if (count > maxSurfaceItems)
    throw new SurfaceRefused(`${count} items are more than the ${maxSurfaceItems} of a server`);
  const byKey = new Map<string, SurfaceItem>();
  const room: Room = { left: maxSurfaceLength };
  const listed: ItemKind[] = [];
  if (body.instructions !== null) {
    listed.push("instructions");
    const item = itemFrom("instructions", "", { text: body.instructions }, "instructions", room);
    byKey.set(itemKey(item), item);
  }
  for (const list of lists) {
    const items = body[list.key];
    if (items === null) continue;
    listed.push(list.kind);
    for (let at = 0; at < items.length; at++) add(byKey, list, items[at] as JsonValue, at, room);
  }
  const { server, credential, identity } = body;
  const items = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
  return Object.freeze({
    server,
    credential,
    identity,
    items: Object.freeze(items),
    listed: Object.freeze(listed),
    hash: surfaceHash(items),
  });
};

/** Characters of all definitions together that may still come. */
interface Room {
  left: number;
}

const add = (byKey: Map<string, SurfaceItem>, list: List, json: JsonValue, at: number, room: Room): void => {
  const where = `${list.key}[${at}]`;
  if (!isObject(json)) throw new SurfaceRefused(`${where} is no object`);
  const name = own(json, list.member);
  if (typeof name !== "string" || name === "") throw new SurfaceRefused(`${where} has no ${list.member}`);
  if (!fitsBytes(name, list.maxBytes)) {
    throw new SurfaceRefused(`${where} has a ${list.member} of more than ${list.maxBytes} bytes`);
  }
  // A call of it could not be told from a prompt that is got, or a resource that is read.
  if (list.kind === "tool" && protocolActions.has(name)) {
    throw new SurfaceRefused(`${where} has the name of an action of the protocol, ${printableName(name)}`);
  }
  const item = itemFrom(list.kind, name, json, where, room);
  const before = byKey.get(itemKey(item));
  // Which of two a call would reach, nobody knows. A file that is listed twice is one file.
  if (before !== undefined && (before.hash !== item.hash || list.kind === "tool" || list.kind === "prompt")) {
    throw new SurfaceRefused(`${where} has the ${list.member} of another, ${printableName(name)}`);
  }
  byKey.set(itemKey(item), item);
};

const itemFrom = (kind: ItemKind, name: string, json: JsonObject, where: string, room: Room): SurfaceItem => {
  if (hasMoreNodesThan(json, maxDefinitionNodes)) {
    throw new SurfaceRefused(`${where} has more than ${maxDefinitionNodes} members and items`);
  }
  const text = textOf(json, where);
  if (text.length > maxDefinitionLength)
    throw new SurfaceRefused(`${where} is longer than ${maxDefinitionLength} characters`);
  room.left -= text.length;
  if (room.left < 0)
    throw new SurfaceRefused(`${where} and what stands before it are longer than ${maxSurfaceLength} characters`);
  return Object.freeze({ kind, name, definition: deepFreeze(json), hash: sha256(text) });
};

const textOf = (json: JsonObject, where: string): string => {
  try {
    return canonicalJson(json);
  } catch (error) {
    if (error instanceof Unrepresentable) throw new SurfaceRefused(`${where} has no canonical form`);
    throw error;
  }
};

/** Stops counting where it is enough. */
const hasMoreNodesThan = (json: JsonValue, most: number): boolean => {
  let left = most;
  const waiting: JsonValue[] = [json];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== "object" || node === null) continue;
    const within = Array.isArray(node) ? (node as readonly JsonValue[]) : Object.values(node);
    left -= within.length;
    if (left < 0) return true;
    for (const value of within) if (typeof value === "object" && value !== null) waiting.push(value);
  }
  return false;
};

const sha256 = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;

/** Over what is offered and nothing else: the same for two servers that offer the same. */
export const surfaceHash = (items: readonly Pick<SurfaceItem, "kind" | "name" | "hash">[]): string =>
  sha256(canonicalJson(items.map(({ kind, name, hash }) => [kind, name, hash])));
