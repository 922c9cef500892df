import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { PackageIdentity } from "../../../wire/server-identity.ts";
import type { JsonObject } from "../../../wire/value.ts";
import { isObject } from "../relay/message.ts";

const maxFileBytes = 64 * 1024 * 1024;
/** Where a package comes from is not known without a lock file: no registry is of this name, so that a policy that asks for one refuses. */
const unknown = "unknown";

/** The npm package that a file belongs to: the nearest package.json with a name and a version, and what a lock file beside it says. */
export const packageOf = (file: string): PackageIdentity | null => {
  for (const directory of above(file)) {
    const manifest = jsonAt(join(directory, "package.json"));
    if (manifest === null || typeof manifest.name !== "string" || typeof manifest.version !== "string") continue;
    const locked = lockedAt(directory, manifest.version);
    return {
      registry: originOf(locked?.resolved) ?? unknown,
      name: manifest.name,
      version: manifest.version,
      integrity: typeof locked?.integrity === "string" ? locked.integrity : null,
    };
  }
  return null;
};

/** Of a launcher that fetches what it runs, only an exact version says what that is. */
export const launchedPackage = (from: "npm" | "pypi", spec: string): PackageIdentity | null => {
  const [, name, version] = /^(@?[^@\s]+)(?:@|==)(\d[\w.+-]*)$/.exec(spec) ?? [];
  return name === undefined || version === undefined
    ? null
    : { registry: registries[from], name, version, integrity: null };
};

const registries = { npm: "https://registry.npmjs.org", pypi: "https://pypi.org" } as const;

function* above(file: string): Generator<string> {
  for (let at = dirname(file), before = ""; at !== before; before = at, at = dirname(at)) yield at;
}

/** The entry of the lock file that put the package there; one of another version did not. */
const lockedAt = (directory: string, version: string): JsonObject | null => {
  const parts = directory.split(sep);
  const outermost = parts.indexOf("node_modules");
  if (outermost === -1) return null;
  const root = parts.slice(0, outermost).join(sep);
  const key = relative(root, directory).split(sep).join("/");
  for (const name of [join("node_modules", ".package-lock.json"), "package-lock.json"]) {
    const packages = jsonAt(join(root, name))?.packages;
    const entry = isObject(packages) && Object.hasOwn(packages, key) ? packages[key] : null;
    if (isObject(entry) && entry.version === version) return entry;
  }
  return null;
};

const originOf = (url: unknown): string | null =>
  typeof url === "string" && /^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : null;

const jsonAt = (path: string): JsonObject | null => {
  try {
    if (statSync(path).size > maxFileBytes) return null;
    const json: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
};
