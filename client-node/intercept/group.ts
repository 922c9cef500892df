import type { Guard } from "./ask.ts";
import type { Patches } from "./patch.ts";

/** What a group may need to know beyond the guard: where the guard's own things are, and how a child is given the same guard. */
export interface GroupOptions {
  /** The daemon's socket; null where the engine is not a `RemoteEngine`. */
  readonly socketPath: string | null;
  readonly principal: string | null;
  /** Seconds to a verdict; null waits for ever. */
  readonly timeout: number | null;
  /** The pin of a scope document. */
  readonly scope: string | null;
  /** Where the token lies that connections show; null where it is in no file. */
  readonly tokenFile: string | null;
  readonly http: boolean;
  readonly net: boolean;
}

/** A group of interceptors: one folder. */
export interface Group {
  install(patches: Patches, guard: Guard, options: GroupOptions): void;
}
