import { Verdict } from "../../wire/verdict.ts";
import { ask, believed, blocked } from "../ask.ts";
import { BlockedError, NotApprovedError } from "../blocked-error.ts";
import type { Decision } from "../decision.ts";
import { errorName } from "../error-name.ts";
import type { Enforcement, Engine } from "../guard-options.ts";
import { ownPromise } from "../own-promise.ts";
import { rewrittenArgs } from "../rewrite.ts";
import type { EventFields } from "../sensor-event.ts";
import { Turns } from "./turns.ts";

/** What may run: `null` the arguments as they are, else the arguments after the rewrites. There is none for a refused call. */
export interface Permission {
  readonly args: Readonly<Record<string, unknown>> | null;
}

export interface Guard {
  /** Waits for the verdict. @throws BlockedError, NotApprovedError */
  askSync(action: string, args: Readonly<Record<string, unknown>>): Permission;
  /** Rejects with BlockedError, NotApprovedError; never throws at once. */
  ask(action: string, args: Readonly<Record<string, unknown>>): Promise<Permission>;
  /** False where it only watches, and once it is let go of: then nothing else may refuse a call either. Absent: true. */
  refuses?(): boolean;
}

/** Decides while its caller waits. Anything it throws blocks the call. */
export interface SyncEngine {
  evaluateSync(event: EventFields): unknown;
}

export interface ClosableSyncEngine extends SyncEngine {
  close(): void;
}

export interface GuardSettings {
  readonly engine: Engine;
  /** Null where the engine cannot be asked synchronously: then every synchronous call is blocked. */
  readonly syncEngine: SyncEngine | null;
  readonly enforcement: Enforcement;
  readonly principal: string | null;
}

const unchanged: Permission = Object.freeze({ args: null });

/** A guard that can be let go of: afterwards what it wrapped runs as the original does. */
export interface ReleasableGuard extends Guard {
  release(): void;
}

export const makeGuard = (settings: GuardSettings): ReleasableGuard => {
  const { engine, syncEngine, enforcement, principal } = settings;
  const turns = new Turns();
  const grade = enforcement === "monitor" ? "sync/monitor" : "sync/enforce";
  let isReleased = false;

  const permission = (action: string, args: Readonly<Record<string, unknown>>, decision: Decision): Permission => {
    if (enforcement === "monitor") return unchanged;
    switch (decision.verdict) {
      case Verdict.ALLOW:
        return unchanged;
      case Verdict.MODIFY:
        return { args: rewrittenArgs(args, decision) };
      case Verdict.ESCALATE:
        throw new NotApprovedError(decision, action, "an intercepted call has nobody to ask");
      default:
        // A replay included: an effect of Node's has no recorded result that could stand for it.
        throw new BlockedError(decision, action);
    }
  };

  return {
    askSync(action, args) {
      if (isReleased) return unchanged;
      if (syncEngine === null) throw blocked(action, "the engine of this guard cannot be asked synchronously");
      let answer: unknown;
      try {
        answer = syncEngine.evaluateSync({ action, args, principal, grade });
      } catch (error) {
        if (error instanceof BlockedError) throw error;
        throw blocked(action, `the guard engine gave no verdict: ${errorName(error)}`);
      }
      return permission(action, args, believed(action, "call", answer));
    },
    async ask(action, args) {
      if (isReleased) return unchanged;
      const turn = turns.begin();
      try {
        if (turn !== null) await ownPromise(turn);
        if (isReleased) return unchanged;
        return permission(
          action,
          args,
          await ownPromise(ask(action, args, "call", { engine, principal, enforcement })),
        );
      } finally {
        turns.end();
      }
    },
    refuses: () => !isReleased && enforcement !== "monitor",
    release() {
      isReleased = true;
    },
  };
};
