import { createHash } from "node:crypto";
import { canonical } from "../../wire/canonical.ts";
import { isTime } from "../../wire/utc-time.ts";
import { allowedBuiltin } from "./builtins.ts";

/** What a signature covers: everything there is to know about a bundle before it runs. */
export interface Manifest {
  readonly id: string;
  readonly version: number;
  /** RFC 3339, UTC, whole seconds. */
  readonly created: string;
  /** After this moment the set is not served; null for no end. */
  readonly not_after: string | null;
  /** The entry file; one of `sources`. */
  readonly entry: string;
  /** Every file reached by relative import, relative to the entry's folder. */
  readonly sources: readonly { readonly path: string; readonly sha256: string }[];
  /** Every package bundled, with the integrity its lockfile holds, else a hash of the files that were bundled. */
  readonly packages: readonly { readonly name: string; readonly version: string; readonly integrity: string }[];
  /** Node modules the bundle may require, as `node:NAME`. */
  readonly builtins: readonly string[];
  readonly bundle_sha256: string;
}

export const sha256Hex = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** The bytes that are signed: a domain of their own, so that no other signature can be taken for one over rules. */
export const signedBytes = (manifest: unknown): Buffer =>
  Buffer.from(`interlock ruleset v1\n${canonical(manifest)}`, "utf8");

/** Parses a manifest, strictly: exactly these keys, each of its form. Null where it is not one. */
export const parseManifest = (value: unknown): Manifest | null => {
  if (!hasExactly(value, manifestKeys)) return null;
  const { id, version, created, not_after, entry, sources, packages, builtins, bundle_sha256 } = value;
  const holds =
    isName(id) &&
    Number.isSafeInteger(version) &&
    (version as number) >= 1 &&
    isTime(created) &&
    (not_after === null || isTime(not_after)) &&
    isName(entry) &&
    isListOf(
      sources,
      (source) => hasExactly(source, ["path", "sha256"]) && isName(source.path) && isHex(source.sha256),
    ) &&
    sources.some((source) => (source as { path: string }).path === entry) &&
    isListOf(
      packages,
      (used) => hasExactly(used, ["integrity", "name", "version"]) && Object.values(used).every(isName),
    ) &&
    isListOf(builtins, (name) => typeof name === "string" && allowedBuiltin(name) === name) &&
    isHex(bundle_sha256);
  return holds ? (Object.freeze({ ...value }) as unknown as Manifest) : null;
};

const manifestKeys = [
  "builtins",
  "bundle_sha256",
  "created",
  "entry",
  "id",
  "not_after",
  "packages",
  "sources",
  "version",
];

export const hasExactly = (value: unknown, keys: readonly string[]): value is Record<string, unknown> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const own = Object.keys(value);
  return own.length === keys.length && keys.every((key) => Object.hasOwn(value, key));
};

const isListOf = (value: unknown, holds: (item: unknown) => boolean): value is readonly unknown[] =>
  Array.isArray(value) && value.every(holds);
const isName = (value: unknown): value is string => typeof value === "string" && value !== "" && value.length <= 4096;
const isHex = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
