import { nonEmptyString, objectField, onlyKeys, own, refuse, stringOrNull, wholeNumber } from "../../wire/fields.ts";
import { isSha256 } from "../../wire/sha256-name.ts";
import { parseNamedServer } from "../../wire/surface-body.ts";
import type { JsonObject } from "../../wire/value.ts";
import { reasonIn } from "../stops/reason.ts";
import { maxItemUriBytes } from "../surfaces/limits.ts";
import type { ServerRecord } from "../surfaces/state/record.ts";
import { type ItemKind, type ItemRef, itemKinds, type ServerKey } from "../surfaces/surface.ts";
import { maxNoteBytes } from "./limits.ts";

/** What an operator may ask for of MCP servers. */
export type SurfaceAsk =
  | { readonly kind: "servers.list" }
  | { readonly kind: "servers.show"; readonly server: ServerKey }
  /** What was approved, with its definitions: items from the `from`th on, as many as a frame holds. */
  | { readonly kind: "servers.export"; readonly server: ServerKey; readonly from: number }
  | {
      readonly kind: "servers.trust";
      readonly server: ServerKey;
      readonly environment: ServerRecord["environment"];
      readonly probes: boolean;
    }
  | { readonly kind: "servers.remove"; readonly server: ServerKey; readonly reason: string }
  /** `server` null: of all. */
  | { readonly kind: "drift.list"; readonly server: ServerKey | null }
  | { readonly kind: "drift.show"; readonly server: ServerKey; readonly item: ItemRef }
  /** `hash` null approves that it is not listed any more. */
  | { readonly kind: "drift.approve"; readonly server: ServerKey; readonly item: ItemRef; readonly hash: string | null }
  | { readonly kind: "drift.quarantine"; readonly server: ServerKey; readonly item: ItemRef; readonly reason: string }
  | {
      readonly kind: "drift.rebaseline";
      readonly server: ServerKey;
      readonly current: string | null;
      readonly candidate: string;
    }
  | { readonly kind: "drift.history"; readonly server: ServerKey };

type Parse = (body: JsonObject, id: string) => SurfaceAsk;

/** `with` of each, with exactly its keys; `with.server` is `{server, credential}`, `with.item` is `{kind, name}`. Throws `bad_request`. */
export const surfaceAsks: Readonly<Record<SurfaceAsk["kind"], Parse>> = Object.freeze({
  "servers.list": (body: JsonObject, id: string): SurfaceAsk => {
    onlyKeys(body, [], "with", id);
    return { kind: "servers.list" };
  },
  "servers.show": (body: JsonObject, id: string): SurfaceAsk => {
    onlyKeys(body, ["server"], "with", id);
    return { kind: "servers.show", server: serverIn(body, id) };
  },
  "servers.export": (body: JsonObject, id: string): SurfaceAsk => {
    onlyKeys(body, ["from", "server"], "with", id);
    return {
      kind: "servers.export",
      server: serverIn(body, id),
      from: wholeNumber(own(body, "from"), "with.from", id),
    };
  },
  "servers.trust": (body: JsonObject, id: string): SurfaceAsk => {
    onlyKeys(body, ["environment", "probes", "server"], "with", id);
    const environment = own(body, "environment");
    if (environment !== "production" && environment !== "non_production") {
      return refuse("with.environment must be one of production, non_production", id);
    }
    const probes = own(body, "probes");
    if (typeof probes !== "boolean") return refuse("with.probes must be true or false", id);
    return { kind: "servers.trust", server: serverIn(body, id), environment, probes };
  },
  "servers.remove": (body: JsonObject, id: string): SurfaceAsk => {
    onlyKeys(body, ["reason", "server"], "with", id);
    return { kind: "servers.remove", server: serverIn(body, id), reason: whyIn(body, id) };
  },
  "drift.list": (body: JsonObject, id: string): SurfaceAsk => {
    onlyKeys(body, ["server"], "with", id);
    return { kind: "drift.list", server: own(body, "server") === null ? null : serverIn(body, id) };
  },
  "drift.show": (body: JsonObject, id: string): SurfaceAsk => {
    onlyKeys(body, ["item", "server"], "with", id);
    return { kind: "drift.show", server: serverIn(body, id), item: itemIn(body, id) };
  },
  "drift.approve": (body: JsonObject, id: string): SurfaceAsk => {
    onlyKeys(body, ["hash", "item", "server"], "with", id);
    return {
      kind: "drift.approve",
      server: serverIn(body, id),
      item: itemIn(body, id),
      hash: hashOrNullIn(body, "hash", id),
    };
  },
  "drift.quarantine": (body: JsonObject, id: string): SurfaceAsk => {
    onlyKeys(body, ["item", "reason", "server"], "with", id);
    return { kind: "drift.quarantine", server: serverIn(body, id), item: itemIn(body, id), reason: whyIn(body, id) };
  },
  "drift.rebaseline": (body: JsonObject, id: string): SurfaceAsk => {
    onlyKeys(body, ["candidate", "current", "server"], "with", id);
    const candidate = own(body, "candidate");
    if (!isSha256(candidate)) return refuse("with.candidate must be sha256: and 64 hex digits", id);
    return {
      kind: "drift.rebaseline",
      server: serverIn(body, id),
      current: hashOrNullIn(body, "current", id),
      candidate,
    };
  },
  "drift.history": (body: JsonObject, id: string): SurfaceAsk => {
    onlyKeys(body, ["server"], "with", id);
    return { kind: "drift.history", server: serverIn(body, id) };
  },
});

const serverIn = (body: JsonObject, id: string): ServerKey => {
  const server = objectField(own(body, "server"), "with.server", id);
  onlyKeys(server, ["credential", "server"], "with.server", id);
  return parseNamedServer(server, "with.server", id);
};

const itemIn = (body: JsonObject, id: string): ItemRef => {
  const item = objectField(own(body, "item"), "with.item", id);
  onlyKeys(item, ["kind", "name"], "with.item", id);
  const kind = itemKinds.find((one: ItemKind) => one === own(item, "kind"));
  if (kind === undefined) return refuse(`with.item.kind must be one of ${itemKinds.join(", ")}`, id);
  const name = own(item, "name");
  if (kind === "instructions")
    return name === "" ? { kind, name } : refuse('with.item.name of instructions must be ""', id);
  return { kind, name: nonEmptyString(name, "with.item.name", maxItemUriBytes, id) };
};

const hashOrNullIn = (body: JsonObject, key: string, id: string): string | null => {
  const hash = own(body, key);
  if (hash === null || isSha256(hash)) return hash;
  return refuse(`with.${key} must be sha256: and 64 hex digits, or null`, id);
};

const whyIn = (body: JsonObject, id: string): string =>
  reasonIn(stringOrNull(own(body, "reason"), "with.reason", maxNoteBytes, id) ?? "");
