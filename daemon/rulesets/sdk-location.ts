import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where this package's own SDK lies: its TypeScript in a checkout, its compiled modules where it was installed. */
export interface SdkLocation {
  /** The package's folder. */
  readonly root: string;
  readonly version: string;
  readonly files: ReadonlyMap<string, string>;
}

const names: readonly (readonly [string, string])[] = [
  ["interlock/rules", "rules/index"],
  ["interlock/rules/starter", "rules/starter/index"],
  ["interlock/rules/packs", "rules/packs/index"],
  ["interlock/contracts", "rules/contracts/index"],
];

/** Found from this module's own place, so that a rule set is signed with the SDK of the command that signs it. */
export const locateSdk = (from: string = import.meta.url): SdkLocation => {
  const here = fileURLToPath(from);
  const root = packageRoot(dirname(here));
  const compiled = here.startsWith(join(root, "dist"));
  const place = (stem: string): string => (compiled ? join(root, "dist", `${stem}.js`) : join(root, `${stem}.ts`));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return { root, version, files: new Map(names.map(([name, stem]) => [name, place(stem)])) };
};

const packageRoot = (directory: string): string => {
  const manifest = join(directory, "package.json");
  if (existsSync(manifest) && (JSON.parse(readFileSync(manifest, "utf8")) as { name?: string }).name === "interlock")
    return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error("the interlock package was not found around its own code");
  return packageRoot(parent);
};
