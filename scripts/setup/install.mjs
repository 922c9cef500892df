import { readFileSync } from "node:fs";
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
const installed = () => {
  const wanted = packagesIn("package-lock.json");
  if (wanted === undefined) refuse("package-lock.json cannot be read; restore it from git");
  const present = packagesIn("node_modules/.package-lock.json");
  if (present === undefined) return false;
  const same = (path) => path in present && path in wanted && present[path].version === wanted[path].version;
  const needed = Object.keys(wanted).filter((path) => path !== "" && wanted[path].optional !== true);
  return needed.every(same) && Object.keys(present).every(same);
};

/** Installs what the lock names, where that is not what is installed. */
export const installWhenStale = async () => {
  if (installed()) return;
  await runStep("installing packages (SQLite is compiled, about a minute)", "npm", [
    "ci",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]);
};
