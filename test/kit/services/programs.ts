import { execFile } from "node:child_process";
import { accessSync, constants, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Debian keeps the server's programs here, one folder a version, and not in PATH. */
const postgresVersions = "/usr/lib/postgresql";

interface Wanted {
  readonly program: string;
  readonly debianPackage: string;
  /** The variable that names a server that runs already. */
  readonly variable: string;
}

export const wantedPostgres: Wanted = {
  program: "initdb",
  debianPackage: "postgresql",
  variable: "INTERLOCK_TEST_POSTGRES",
};
export const wantedRedis: Wanted = {
  program: "redis-server",
  debianPackage: "redis-server",
  variable: "INTERLOCK_TEST_REDIS",
};

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const versionFolders = (): readonly string[] => {
  try {
    return readdirSync(postgresVersions)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(postgresVersions, version, "bin"));
  } catch {
    return [];
  }
};

/** The folder that holds a program, or null. */
const folderOf = (program: string): string | null =>
  [...versionFolders(), ...(process.env.PATH ?? "").split(delimiter)].find((folder) => canRun(join(folder, program))) ??
  null;

/**
 * The folder of a server's programs. What is missing is installed where root and apt-get are there; elsewhere it is a
 * failure that says what to do, since a test that does not run proves nothing.
 */
export const programFolder = async ({ program, debianPackage, variable }: Wanted): Promise<string> => {
  const found = folderOf(program);
  if (found !== null) return found;
  const advice = `install the package ${debianPackage}, or set ${variable} to the URL of a server`;
  if (process.getuid?.() !== 0) throw new Error(`${program} is not installed; ${advice}`);
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-q"], { env });
    await run("apt-get", ["install", "-y", "-q", "--no-install-recommends", debianPackage], { env });
  } catch {
    throw new Error(`${program} is not installed and apt-get could not install it; ${advice}`);
  }
  const installed = folderOf(program);
  if (installed === null) throw new Error(`${debianPackage} brought no ${program}; ${advice}`);
  return installed;
};
