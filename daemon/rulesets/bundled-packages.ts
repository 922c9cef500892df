import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { type Bundle, shownPath } from "./bundle.ts";
import type { Manifest } from "./manifest.ts";
import { sha256Hex } from "./manifest.ts";
import { SigningRefused } from "./sign-refusal.ts";

type Package = Manifest["packages"][number];
type Source = Manifest["sources"][number];

/** Every file that is the author's own, by its hash. */
export const sourcesOf = async ({ inputs, directory, sdk }: Bundle): Promise<readonly Source[]> => {
  const own = inputs.filter((path) => packageOf(path, sdk.root) === null);
  return Promise.all(
    own.map(async (path) => ({ path: shownPath(directory, path), sha256: sha256Hex(await readFile(path)) })),
  );
};

/** Every package that files were taken from, this one included, with its locked version and integrity. */
export const packagesOf = async ({ inputs, sdk }: Bundle): Promise<readonly Package[]> => {
  const files = new Map<string, string[]>();
  for (const path of inputs) {
    const root = packageOf(path, sdk.root);
    if (root === null) continue;
    const known = files.get(root);
    if (known === undefined) files.set(root, [path]);
    else known.push(path);
  }
  const packages = await Promise.all(
    [...files].map(async ([root, paths]): Promise<Package> => {
      const { name, version } = await identityOf(root);
      return { name, version, integrity: (await lockedIntegrity(root)) ?? (await integrityOf(root, paths)) };
    }),
  );
  return packages.sort((a, b) => compare(`${a.name} ${a.version}`, `${b.name} ${b.version}`));
};

/** The folder of the package that a file belongs to: below a node_modules, or this package's own SDK; null for the author's files. */
const packageOf = (path: string, sdkRoot: string): string | null => {
  const parts = path.split(sep);
  const at = parts.lastIndexOf("node_modules");
  if (at >= 0) return parts.slice(0, at + (parts[at + 1]?.startsWith("@") ? 3 : 2)).join(sep);
  const inSdk = ["rules", "wire", "dist"].some((folder) => path.startsWith(join(sdkRoot, folder) + sep));
  return inSdk ? sdkRoot : null;
};

const identityOf = async (root: string): Promise<{ name: string; version: string }> => {
  const value = await readJson(join(root, "package.json"));
  if (typeof value?.name !== "string" || typeof value.version !== "string")
    throw new SigningRefused("unresolved_package", `the package in ${root} names no version; install it again`);
  return { name: value.name, version: value.version };
};

/** The integrity in the nearest package-lock.json that knows this folder. */
const lockedIntegrity = async (root: string): Promise<string | null> => {
  for (let directory = dirname(root); ; directory = dirname(directory)) {
    const packages = (await readJson(join(directory, "package-lock.json")))?.packages;
    if (typeof packages === "object" && packages !== null) {
      const entry = (packages as Record<string, { integrity?: unknown } | undefined>)[shownPath(directory, root)];
      return typeof entry?.integrity === "string" ? entry.integrity : null;
    }
    if (directory === dirname(directory)) return null;
  }
};

/** Without a lockfile: a hash of the files that were bundled, each by its path and contents. */
const integrityOf = async (root: string, paths: readonly string[]): Promise<string> => {
  const hash = createHash("sha256");
  for (const path of [...paths].sort()) hash.update(`${shownPath(root, path)}\0${sha256Hex(await readFile(path))}\n`);
  return `sha256-${hash.digest("base64")}`;
};

const readJson = async (path: string): Promise<Record<string, unknown> | null> => {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
