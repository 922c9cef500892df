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
    writeFileSync(restartMarkOf(socketPath), "", { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
};

export const clearRestartMark = (socketPath: string): void => {
  rmSync(restartMarkOf(socketPath), { force: true });
};
