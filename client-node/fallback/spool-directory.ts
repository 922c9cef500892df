import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { makeDirectory, statBehind, statOf } from "./own-files.ts";
import { FallbackRefused } from "./refusal.ts";

/** Where a client keeps what it decided without a daemon, when nobody says otherwise. */
export const defaultSpool = (env: NodeJS.ProcessEnv): string =>
  join(env.INTERLOCK_HOME ? resolve(env.INTERLOCK_HOME) : join(homedir(), ".interlock"), "offline");

/** One directory a daemon: what was decided in the place of one is never told to another. */
export const directoryFor = (spool: string, socketPath: string): string =>
  join(spool, createHash("sha256").update(resolve(socketPath)).digest("hex").slice(0, 16));

/** Makes it where it is not there. Who could write in it, or beside it, could take away what was decided. @throws FallbackRefused */
export const secureDirectory = (directory: string): void => {
  try {
    makeDirectory(directory, { recursive: true, mode: 0o700 });
    const user = process.getuid?.();
    const around = statBehind(dirname(directory));
    const isShared = (around.mode & 0o022) !== 0 && (around.mode & 0o1000) === 0;
    if (isShared || (around.uid !== user && around.uid !== 0)) {
      throw unusable(`${dirname(directory)} can be written by others; chmod 700 it`);
    }
    const { mode, uid } = statOf(directory);
    const isOurs = uid === user && (mode & 0o170077) === 0o040000;
    if (!isOurs) throw unusable(`${directory} must be a directory of mode 0700 that belongs to this user`);
  } catch (error) {
    if (error instanceof FallbackRefused) throw error;
    throw unusable(`${directory} cannot be used (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  }
};

export const unusable = (what: string): FallbackRefused =>
  new FallbackRefused("fallback_spool_unusable", `the spool ${what}`);
