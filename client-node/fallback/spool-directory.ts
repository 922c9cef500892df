import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { makeDirectory, statOf } from "./own-files.ts";
import { FallbackRefused } from "./refusal.ts";

/** Where a client keeps what it decided without a daemon, when nobody says otherwise. */
export const defaultSpool = (env: NodeJS.ProcessEnv): string =>
  join(env.INTERLOCK_HOME ? resolve(env.INTERLOCK_HOME) : join(homedir(), ".interlock"), "offline");

/** One directory a daemon: what was decided in the place of one is never told to another. */
export const directoryFor = (spool: string, socketPath: string): string =>
  join(spool, createHash("sha256").update(resolve(socketPath)).digest("hex").slice(0, 16));

/** Makes it where it is not there. Who could write in it could take away what was decided. @throws FallbackRefused */
export const secureDirectory = (directory: string): void => {
  try {
    makeDirectory(directory, { recursive: true, mode: 0o700 });
    const { mode, uid } = statOf(directory);
    const isOurs = uid === process.getuid?.() && (mode & 0o170077) === 0o040000;
    if (!isOurs) throw unusable(`${directory} must be a directory of mode 0700 that belongs to this user`);
  } catch (error) {
    if (error instanceof FallbackRefused) throw error;
    throw unusable(`${directory} cannot be used (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  }
};

export const unusable = (what: string): FallbackRefused =>
  new FallbackRefused("fallback_spool_unusable", `the spool ${what}`);
