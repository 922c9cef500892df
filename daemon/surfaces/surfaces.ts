import type { NamedServer } from "../../wire/surface-body.ts";
import type { CallSurface } from "../gates/quarantine.ts";
import type { SurfaceKeeper } from "./keeper.ts";
import type { Behaviours } from "./runtime/behaviours.ts";
import type { SessionSurfaces } from "./session-surfaces.ts";
import { recordKey } from "./state/record.ts";

/** What is known of servers, and what each session saw of them. */
export interface Surfaces {
  readonly keeper: SurfaceKeeper;
  readonly sessions: SessionSurfaces;
  /** What their tools do. */
  readonly behaviours: Behaviours;
  /** A report is good for so long at most, whatever its server says. */
  readonly maxAge_ms: number;
}

/** The server of a call of this session; null for a call of none. Looked up again each time that it is asked. */
export const callSurface = (
  { keeper, sessions }: Surfaces,
  session: object,
  named: NamedServer | null,
): CallSurface | null => {
  if (named === null) return null;
  const key = recordKey(named);
  return { named, reported: () => sessions.find(session, key), known: () => keeper.find(key) };
};
