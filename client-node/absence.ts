import { isMarked } from "./daemon-marks.ts";
import { firstPause_ms, longestPause_ms } from "./limits.ts";

/** What a failed `connect` says of the daemon: `absent` nobody listens, `busy` somebody may, `wrong` trying again is of no use. */
export const connectFailure = (error: NodeJS.ErrnoException): "absent" | "busy" | "wrong" => {
  switch (error.code) {
    case "ENOENT":
    case "ECONNREFUSED":
      return "absent";
    case "EAGAIN":
    case "ECONNRESET":
    case "EPIPE":
      return "busy";
    default:
      return "wrong";
  }
};

/**
 * A time during which no connection came about. A restart is not absence: it lasts the grace before the daemon counts as
 * unreachable, and begins anew for as long as the mark of a supervisor that is restarting the engine stands beside the socket.
 */
export class Absence {
  /** Did the mark stand at any time? Then nothing of this absence is decided by `unreachable: "allow"`. */
  isRestart = false;
  /** Did any attempt find somebody there? */
  isAnyoneThere = false;
  lastError: Error;
  #since_ms: number;
  #pause_ms = firstPause_ms;
  readonly #socketPath: string;
  readonly #now: () => number;

  constructor(socketPath: string, error: Error, now: () => number) {
    this.#socketPath = socketPath;
    this.lastError = error;
    this.#now = now;
    this.#since_ms = now();
  }

  /** Had everything been stopped when the daemon went away? A stop is nobody's to end by ending the daemon. */
  get isStopped(): boolean {
    return isMarked(this.#socketPath, "stopped");
  }

  /** Notes a failed attempt. */
  failed(error: Error, isAnyoneThere: boolean): void {
    this.lastError = error;
    if (isAnyoneThere) this.isAnyoneThere = true;
    if (!isMarked(this.#socketPath, "restarting")) return;
    this.isRestart = true;
    this.#since_ms = this.#now();
  }

  /** Milliseconds until the next attempt, or null where the grace is used up. */
  nextPause_ms(grace_ms: number): number | null {
    const left_ms = grace_ms - (this.#now() - this.#since_ms);
    if (left_ms <= 0) return null;
    const pause_ms = Math.min(this.#pause_ms, left_ms);
    this.#pause_ms = Math.min(2 * this.#pause_ms, longestPause_ms);
    return pause_ms;
  }
}
