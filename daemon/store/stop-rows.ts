import type { Maybe } from "./steps.ts";

/** Everything is blocked from `begun_ms` on, and until somebody ended it. Kept for good: it is who, when and why. */
export interface StopRow {
  /** `st_` and 22 characters. */
  readonly stop_id: string;
  readonly begun_ms: number;
  /** `operator:<name>` or `signal`. */
  readonly begun_by: string;
  /** One line. */
  readonly reason: string;
  /** All three null while it stands. */
  readonly ended_ms: number | null;
  readonly ended_by: string | null;
  readonly end_reason: string | null;
}

export interface StopReads {
  /** Those that stand, and those that began later than `since_ms`; oldest first. */
  stops(since_ms: number): Maybe<readonly StopRow[]>;
}

export interface StopTx extends StopReads {
  /** Does any stand? On a store of several daemons, the question of the moment at which a call is let run. */
  isStopped(): Maybe<boolean>;
  beginStop(row: StopRow): Maybe<void>;
  /** False where it does not stand. */
  endStop(
    stop_id: string,
    end: { readonly at_ms: number; readonly by: string; readonly reason: string },
  ): Maybe<boolean>;
}
