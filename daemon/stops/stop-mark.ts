import { lstatSync, rmSync, writeFileSync } from "node:fs";

/**
 * A file beside the socket that stands while everything is stopped, and stays when the daemon ends meanwhile: clients that would decide
 * without a daemon do not, so that nobody lifts a stop by ending the daemon. Only a daemon that knows of no stop takes it away.
 */
export const stopMarkOf = (socketPath: string): string => `${socketPath}.stopped`;

export class StopMark {
  readonly #path: string;
  #shown: boolean | null = null;

  constructor(socketPath: string) {
    this.#path = stopMarkOf(socketPath);
  }

  /** Called again and again: what could not be written, or taken away, is tried again, and what somebody took away is put back. */
  shows(isStopped: boolean): void {
    if (this.#shown === isStopped && !(isStopped && this.#isGone())) return;
    try {
      // Made anew, so that nothing is written through a link that stands in its place.
      rmSync(this.#path, { force: true, recursive: true });
      if (isStopped) writeFileSync(this.#path, "", { mode: 0o600, flag: "wx" });
      this.#shown = isStopped;
    } catch {
      this.#shown = null;
    }
  }
  #isGone(): boolean {
    try {
      return lstatSync(this.#path, { throwIfNoEntry: false }) === undefined;
    } catch {
      return true;
    }
  }
}
