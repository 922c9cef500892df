import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Suite } from "../suite.ts";
import { command } from "./command.ts";
import { debianArchive } from "./debian.ts";
import { npmTarball } from "./npm.ts";
import { SuiteRefusal } from "./refusal.ts";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "interlock", "suites");

/** A suite made ready: its package as published in `package/`, and beside it what its tests need, in `node_modules/`. */
export interface Workshop {
  readonly folder: string;
}

/** Brings a suite, unless the cache has exactly this one. @throws SuiteRefusal it cannot be had, or is not what was pinned */
export const workshopOf = async (suite: Suite): Promise<Workshop> => {
  const needs = join(packages, folderOf(suite));
  const lock = await readFile(join(needs, "package-lock.json"));
  const digest = createHash("sha256").update(suite.source.sha256).update(lock).digest("hex");
  const folder = join(cache, `${folderOf(suite)}-${digest.slice(0, 16)}`);
  const ready = join(folder, "ready");
  if (!existsSync(ready)) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(join(folder, "package"), { recursive: true });
    const archive =
      suite.source.kind === "npm"
        ? await npmTarball(suite.source.tarball, folder)
        : await debianArchive(suite.source, folder);
    await checkDigest(archive, suite.source.sha256);
    await command("tar", ["xf", archive, "-C", "package", "--strip-components=1"], { cwd: folder });
    for (const name of ["package.json", "package-lock.json"]) await cp(join(needs, name), join(folder, name));
    await command("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
    await writeFile(ready, "");
  }
  return { folder };
};

/** A copy of a suite that its tests may write to. It lies where no folder has a name that tests of paths take for a hidden one. */
export interface Workbench {
  /** That of the two below. */
  readonly folder: string;
  readonly package: string;
  /** For the home and the temporary folder of its processes. */
  readonly home: string;
  clear(): Promise<void>;
}

export const workbenchOf = async ({ folder }: Workshop): Promise<Workbench> => {
  const base = await realpath(await mkdtemp(join(tmpdir(), "il-suite-")));
  const bench = {
    folder: base,
    package: join(base, "package"),
    home: join(base, "home"),
    clear: () => rm(base, { recursive: true, force: true }),
  };
  await mkdir(bench.home);
  await cp(join(folder, "package"), bench.package, { recursive: true, verbatimSymlinks: true });
  await symlink(join(folder, "node_modules"), join(base, "node_modules"));
  return bench;
};

/** `@scope/name` without what a folder's name cannot have. */
const folderOf = ({ name }: Suite): string => name.replace("@", "").replace("/", "-");

const checkDigest = async (path: string, wanted: string): Promise<void> => {
  const found = createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
  if (found !== wanted) throw new SuiteRefusal(`${path} is not the pinned archive: its SHA-256 is ${found}`);
};
