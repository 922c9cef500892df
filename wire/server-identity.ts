import { isObject, nonEmptyString, onlyKeys, own, refuse } from "./fields.ts";
import { maxIdentityBytes } from "./limits.ts";
import { isSha256 } from "./sha256-name.ts";
import type { JsonObject, JsonValue } from "./value.ts";

/** What runs, as the client resolved it; the server's own word (`serverInfo`) is no part of it. */
export type ServerIdentity =
  | {
      readonly kind: "stdio";
      readonly command: string;
      /** `sha256:<hex>` of the JCS array of the arguments: they may hold secrets. */
      readonly args: string;
      /** `sha256:<hex>` of the resolved executable's (or script's) bytes; null where it could not be read. */
      readonly executable: string | null;
      readonly package: PackageIdentity | null;
    }
  | {
      readonly kind: "http";
      /** Without user information, query and fragment. */
      readonly url: string;
      /** `sha256:<hex>` of the certificate's public key; null without TLS. */
      readonly tls_key: string | null;
    };

export interface PackageIdentity {
  readonly registry: string;
  readonly name: string;
  readonly version: string;
  /** As the lock file or the registry has it (`sha512-...`); null where unknown. */
  readonly integrity: string | null;
}

/** Reads `surface.identity`: each key of its kind, and no other; what is not known is null. Throws `bad_request`. */
export const parseIdentity = (json: JsonValue | undefined, id: string): ServerIdentity => {
  if (!isObject(json)) return refuse("surface.identity must be a JSON object", id);
  const kind = own(json, "kind");
  if (kind === "stdio") {
    onlyKeys(json, ["kind", "command", "args", "executable", "package"], "surface.identity", id);
    return Object.freeze({
      kind,
      command: text(json, "command", "surface.identity", id),
      args: digest(json, "args", id) ?? refuse("surface.identity.args must be sha256: and 64 hex digits", id),
      executable: digest(json, "executable", id),
      package: parsePackage(own(json, "package"), id),
    });
  }
  if (kind === "http") {
    onlyKeys(json, ["kind", "url", "tls_key"], "surface.identity", id);
    return Object.freeze({ kind, url: bareUrl(json, id), tls_key: digest(json, "tls_key", id) });
  }
  return refuse("surface.identity.kind must be one of http, stdio", id);
};

const parsePackage = (json: JsonValue | undefined, id: string): PackageIdentity | null => {
  if (json === undefined || json === null) return null;
  const where = "surface.identity.package";
  if (!isObject(json)) return refuse(`${where} must be a JSON object or null`, id);
  onlyKeys(json, ["registry", "name", "version", "integrity"], where, id);
  const integrity = own(json, "integrity");
  return Object.freeze({
    registry: text(json, "registry", where, id),
    name: text(json, "name", where, id),
    version: text(json, "version", where, id),
    integrity: integrity === undefined || integrity === null ? null : text(json, "integrity", where, id),
  });
};

const text = (json: JsonObject, key: string, where: string, id: string): string =>
  nonEmptyString(own(json, key), `${where}.${key}`, maxIdentityBytes, id);

const digest = (json: JsonObject, key: string, id: string): string | null => {
  const given = own(json, key);
  if (given === undefined || given === null) return null;
  return isSha256(given) ? given : refuse(`surface.identity.${key} must be sha256: and 64 hex digits`, id);
};

/** A query may be a secret, and is no part of whom a client talks to. */
const bareUrl = (json: JsonObject, id: string): string => {
  const given = text(json, "url", "surface.identity", id);
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return refuse("surface.identity.url must be an http or https URL", id);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return refuse("surface.identity.url must have no user information, query or fragment", id);
  }
  return given;
};
