import { rmSync, writeFileSync } from "node:fs";

/**
 * A file beside the socket that stands while the supervisor restarts the engine. Clients that would let calls through
 * when no daemon is there wait while it stands, so an input that hangs a rule cannot open anybody's gate. A daemon
 * killed meanwhile leaves it behind: calls wait or are blocked until the next start takes it away.
 */
export const restartMarkOf = (socketPath: string): string => `${socketPath}.restarting`;

/** @returns false where it could not be written (a full disk): the restart then has to be shorter than a client's grace. */
export const setRestartMark = (socketPath: string): boolean => {
  try {
    clearRestartMark(socketPath);
    // Made anew, so that nothing is written through a link that stands in its place.
    writeFileSync(restartMarkOf(socketPath), "", { mode: 0o600, flag: "wx" });
    return true;
  } catch {
    return false;
  }
};

/** Whatever stands there goes, a folder too. What cannot be taken away makes clients wait; it does not end the daemon. */
export const clearRestartMark = (socketPath: string): void => {
  try {
    rmSync(restartMarkOf(socketPath), { force: true, recursive: true });
  } catch {
    // Calls that would be let through while no daemon is there are blocked instead.
  }
};
