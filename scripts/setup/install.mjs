import { readFileSync } from "node:fs";
import { join } from "node:path";
import { headersOfNode } from "./headers.mjs";
import { refuse } from "./refuse.mjs";
import { runStep } from "./step.mjs";

/** The packages of a lock file by path, or undefined where there is none that can be read. */
const packagesIn = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
};

/**
 * Whether what npm last installed is what the lock asks for. Contents are compared, not times: a checkout of another
 * commit changes the lock without making it newer than what is installed.
 */
const installed = (folder) => {
  const lock = join(folder, "package-lock.json");
  const wanted = packagesIn(lock);
  if (wanted === undefined) refuse(`${lock} cannot be read; restore it from git`);
  const present = packagesIn(join(folder, "node_modules/.package-lock.json"));
  if (present === undefined) return false;
  const same = (path) => path in present && path in wanted && present[path].version === wanted[path].version;
  const needed = Object.keys(wanted).filter((path) => path !== "" && wanted[path].optional !== true);
  return needed.every(same) && Object.keys(present).every(same);
};

const install = async (title, folder) => {
  if (installed(folder)) return;
  await runStep(
    title,
    "npm",
    ["ci", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"],
    headersOfNode(),
  );
};

/** Installs what the lock names, where that is not what is installed. */
export const installWhenStale = () => install("installing packages (SQLite is compiled, about a minute)", ".");

/** The Node versions that tests of the client run on. */
export const installRuntimesWhenStale = () => install("installing Node 20, 22 and 24", "client-node/testing/runtimes");
