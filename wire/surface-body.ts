import { nonEmptyString, objectField, onlyKeys, own, refuse, wholeNumber } from "./fields.ts";
import { maxNameBytes, maxSurfaceTtl_ms } from "./limits.ts";
import { parseIdentity, type ServerIdentity } from "./server-identity.ts";
import { isSha256 } from "./sha256-name.ts";
import type { JsonObject, JsonValue } from "./value.ts";

/** Which server, and whom it shows itself to. */
export interface NamedServer {
  /** The name that the client knows it by, never what it says of itself; at most 1024 bytes. */
  readonly server: string;
  /** `sha256:<hex>` of the credential's context: servers list by authorization. Null where the client shows none. */
  readonly credential: string | null;
}

/**
 * `{server, credential?, tools?, prompts?, resources?, resource_templates?, instructions?, identity?, ttl_ms?}`: everything that an
 * MCP server listed, all pages of it, as it listed it. The lists are arrays of any JSON; `instructions` is a string. What the client
 * did not ask for is absent (null here), which is not the same as an empty list. `ttl_ms` is how long the server says that its
 * lists hold, at most a day.
 */
export interface SurfaceBody extends NamedServer {
  readonly tools: readonly JsonValue[] | null;
  readonly prompts: readonly JsonValue[] | null;
  readonly resources: readonly JsonValue[] | null;
  readonly resource_templates: readonly JsonValue[] | null;
  readonly instructions: string | null;
  readonly identity: ServerIdentity | null;
  readonly ttl_ms: number | null;
}

const keys = [
  "server",
  "credential",
  "tools",
  "prompts",
  "resources",
  "resource_templates",
  "instructions",
  "identity",
  "ttl_ms",
] as const satisfies readonly (keyof SurfaceBody)[];

/** Throws `bad_request`. */
export const parseSurface = (json: JsonValue | undefined, id: string): SurfaceBody => {
  const surface = objectField(json, "surface", id);
  onlyKeys(surface, keys, "surface", id);
  const instructions = own(surface, "instructions");
  if (instructions !== undefined && typeof instructions !== "string") {
    return refuse("surface.instructions must be a string", id);
  }
  const identity = own(surface, "identity");
  return Object.freeze({
    ...parseNamedServer(surface, "surface", id),
    tools: optionalArray(surface, "tools", id),
    prompts: optionalArray(surface, "prompts", id),
    resources: optionalArray(surface, "resources", id),
    resource_templates: optionalArray(surface, "resource_templates", id),
    instructions: instructions ?? null,
    identity: identity === undefined ? null : parseIdentity(identity, id),
    ttl_ms: parseTtl(own(surface, "ttl_ms"), id),
  });
};

/** `server` and `credential` of a body that has both. */
export const parseNamedServer = (body: JsonObject, where: string, id: string): NamedServer => {
  const server = nonEmptyString(own(body, "server"), `${where}.server`, maxNameBytes, id);
  const credential = own(body, "credential");
  if (credential === undefined || credential === null) return Object.freeze({ server, credential: null });
  if (!isSha256(credential)) return refuse(`${where}.credential must be sha256: and 64 hex digits`, id);
  return Object.freeze({ server, credential });
};

const parseTtl = (json: JsonValue | undefined, id: string): number | null => {
  if (json === undefined || json === null) return null;
  return Math.min(wholeNumber(json, "surface.ttl_ms", id), maxSurfaceTtl_ms);
};

const optionalArray = (surface: JsonObject, key: string, id: string): readonly JsonValue[] | null => {
  const json = own(surface, key);
  if (json === undefined) return null;
  return Array.isArray(json) ? (json as readonly JsonValue[]) : refuse(`surface.${key} must be an array`, id);
};
