import { lstatSync, mkdirSync, type Stats, statSync, unlinkSync } from "node:fs";
import { createConnection } from "node:net";
import { dirname, isAbsolute } from "node:path";
import { ExitCode, Refusal } from "../exit-codes.ts";

/**
 * Where the daemon may listen. Node has no way to ask for a peer's uid, so the directory is the boundary: it is ours,
 * nobody else may enter it, and it is refused as it stands rather than repaired, since changing the mode of a
 * directory that others use would break them and prove nothing.
 */

/** `sun_path` holds 108 bytes on Linux, 104 elsewhere, the final zero included. */
export const maxSocketPathBytes = 103;
const probeTimeout_ms = 250;

const refuse = (path: string, what: string, todo: string): never => {
  throw new Refusal(ExitCode.cannotServe, `cannot serve ${path}: ${what}; ${todo}`);
};

const errno = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "unknown error";

const orNull = (look: () => Stats): Stats | null => {
  try {
    return look();
  } catch (error) {
    if (errno(error) === "ENOENT") return null;
    throw error;
  }
};

/** By what the path of a socket is chosen. */
export type SocketSetting = "--socket" | "operator_socket";

/** Creates the socket's directory where it is missing; refuses one that others can enter. */
export const secureSocketDirectory = (socketPath: string, setting: SocketSetting = "--socket"): void => {
  if (!isAbsolute(socketPath)) refuse(socketPath, "the path is not absolute", "give the whole path");
  if (Buffer.byteLength(socketPath) > maxSocketPathBytes) {
    refuse(socketPath, `the path is longer than ${maxSocketPathBytes} bytes`, `choose a shorter one with ${setting}`);
  }
  const directory = dirname(socketPath);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    refuse(socketPath, `its directory cannot be made (${errno(error)})`, `choose another with ${setting}`);
  }
  const stats = statSync(directory);
  const uid = process.getuid?.();
  if (!stats.isDirectory()) refuse(socketPath, "its parent is not a directory", `choose another with ${setting}`);
  if (uid !== undefined && stats.uid !== uid) {
    refuse(socketPath, `its directory belongs to uid ${stats.uid}, not to ${uid}`, "choose a directory of your own");
  }
  if ((stats.mode & 0o1000) !== 0) {
    refuse(socketPath, "its directory is sticky, so it is shared", "choose a directory of your own with mode 0700");
  }
  if ((stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o7777).toString(8).padStart(4, "0");
    refuse(
      socketPath,
      `its directory has mode ${mode}, so others can enter it`,
      `run chmod 0700 ${directory} or choose another`,
    );
  }
};

/** Does somebody answer on this socket? */
const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(path);
    const end = (alive: boolean): void => {
      socket.destroy();
      resolve(alive);
    };
    // A peer that takes longer than this to accept is alive but busy: taking its path would cut it off.
    socket.setTimeout(probeTimeout_ms, () => end(true));
    socket.once("connect", () => end(true));
    socket.once("error", (error) => end(errno(error) === "EAGAIN"));
  });

/**
 * Makes the path free to bind: a socket that nobody answers is what a killed daemon left, and is removed; a live one
 * is another daemon's; anything else is not ours to delete.
 */
export const clearDeadSocket = async (path: string, setting: SocketSetting = "--socket"): Promise<void> => {
  const stats = orNull(() => lstatSync(path));
  if (stats === null) return;
  if (!stats.isSocket()) {
    refuse(path, "something that is not a socket is there", `move it away or choose another path with ${setting}`);
  }
  if (await answers(path)) throw new Refusal(ExitCode.alreadyServed, `another daemon serves ${path}`);
  unlinkSync(path);
};
