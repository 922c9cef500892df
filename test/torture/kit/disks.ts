import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { shortDirectory } from "../../kit/place.ts";

const run = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

const mounted = new Set<string>();
afterAll(() => {
  for (const path of mounted) run("umount", "-l", path);
});

/** Mounts a small file system of its own; null where this user may not mount. It is unmounted when the test file ends. */
export const smallDisk = (size: string): string | null => {
  const path = join(shortDirectory(), "disk");
  mkdirSync(path, { mode: 0o700 });
  if (!run("mount", "-t", "tmpfs", "-o", `size=${size},mode=0700`, "tmpfs", path)) return null;
  mounted.add(path);
  return path;
};

/** Takes a disk away while it is in use: its files live on for whoever has them open, its paths are gone. */
export const takeAway = (path: string): void => {
  if (!run("umount", "-l", path)) throw new Error(`cannot unmount ${path}`);
  mounted.delete(path);
};

/** Writes a file until nothing more fits; the returned function makes the room again. */
export const fill = (disk: string): (() => void) => {
  const path = join(disk, "filler");
  const file = openSync(path, "w");
  try {
    for (const bytes of [64 * 1024, 4096, 1]) {
      const chunk = Buffer.alloc(bytes);
      try {
        for (;;) writeSync(file, chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    }
  } finally {
    closeSync(file);
  }
  return () => rmSync(path);
};

/** No file of that process may grow beyond so many bytes (RLIMIT_FSIZE), or null: any may again. */
export const limitFiles = (pid: number, bytes: number | null): void => {
  if (!run("prlimit", "--pid", `${pid}`, `--fsize=${bytes ?? "unlimited"}:unlimited`)) {
    throw new Error("prlimit (util-linux) cannot limit the daemon's files");
  }
};
