import { createHash } from "node:crypto";
import { canonicalJson } from "../../../wire/canonical.ts";
import { isObject, own } from "../../../wire/fields.ts";
import { parseIdentity } from "../../../wire/server-identity.ts";
import { parseNamedServer } from "../../../wire/surface-body.ts";
import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import { surfaceHash } from "../parse-surface.ts";
import {
  type ItemKind,
  itemKinds,
  type ServerIdentity,
  type ServerKey,
  type Surface,
  type SurfaceItem,
} from "../surface.ts";

export const baselineFormat = "interlock.surface-baseline/v1";

/** What was approved of a server, with its definitions: a file that is committed and compared with. */
export interface BaselineFile extends ServerKey {
  readonly format_version: typeof baselineFormat;
  readonly version: number;
  readonly approved_by: string;
  readonly approved_ms: number;
  readonly identity: ServerIdentity | null;
  readonly listed: readonly ItemKind[];
  /** `Surface.hash`. */
  readonly surface_hash: string;
  readonly items: readonly SurfaceItem[];
}

/** What is no baseline. One line, with no text out of a definition. */
export class BaselineRefused extends Error {
  override readonly name = "BaselineRefused";
}

export const isBaselineFile = (json: JsonValue): json is JsonObject =>
  isObject(json) && own(json, "format_version") === baselineFormat;

/** Every hash of it is taken anew: what was changed by hand is none. Throws BaselineRefused. */
export const parseBaselineFile = (json: JsonObject): Surface => {
  const { items, listed, surface_hash } = json;
  if (!Array.isArray(items) || !Array.isArray(listed)) throw new BaselineRefused("the baseline has no items");
  const kinds = listed.map((kind) => kindOf(kind));
  const read = (items as readonly JsonValue[]).map(itemOf);
  for (let at = 1; at < read.length; at++) {
    if (orderOf(read[at - 1] as SurfaceItem) >= orderOf(read[at] as SurfaceItem))
      throw new BaselineRefused(`items[${at}] of the baseline is out of order, or there twice`);
  }
  const hash = surfaceHash(read);
  if (hash !== surface_hash)
    throw new BaselineRefused("the baseline was changed: its items are not those of its surface_hash");
  return { ...named(json), identity: identityOf(json), items: read, listed: kinds, hash };
};

const named = (json: JsonObject): ServerKey => {
  const { server, credential } = json;
  try {
    return parseNamedServer({ server: server ?? null, credential: credential ?? null }, "baseline", "");
  } catch {
    throw new BaselineRefused("the baseline names no server");
  }
};

const identityOf = ({ identity }: JsonObject): ServerIdentity | null => {
  if (identity === null || identity === undefined) return null;
  try {
    return parseIdentity(identity, "");
  } catch {
    throw new BaselineRefused("the identity of the baseline is none");
  }
};

const kindOf = (json: JsonValue | undefined): ItemKind => {
  const kind = itemKinds.find((one) => one === json);
  if (kind === undefined) throw new BaselineRefused("the baseline has an item of no known kind");
  return kind;
};

const itemOf = (json: JsonValue, at: number): SurfaceItem => {
  if (!isObject(json)) throw new BaselineRefused(`items[${at}] of the baseline is no object`);
  const { name, hash, definition } = json;
  const kind = kindOf(json.kind);
  if (typeof name !== "string" || !isObject(definition))
    throw new BaselineRefused(`items[${at}] of the baseline has no name or no definition`);
  const is = `sha256:${createHash("sha256").update(canonicalJson(definition)).digest("hex")}`;
  if (hash !== is)
    throw new BaselineRefused(`items[${at}] of the baseline was changed: its definition is not that of its hash`);
  return { kind, name, hash, definition };
};

/** As `parseSurfaceBody` sorts them. */
const orderOf = ({ kind, name }: SurfaceItem): string => `${kind}:${name}`;
