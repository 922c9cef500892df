import { BlockedError } from "../blocked-error.ts";
import { Decision } from "../decision.ts";
import type { Engine, EngineAnswer } from "../guard-options.ts";
import type { Installation } from "./installed.ts";
import { promiseOfProgram } from "./program-realm.ts";

type Lent = Required<Pick<Installation, "evaluate" | "resume" | "outcome" | "surface" | "replays">>;

/** The guard's engine for the program's own use of this package, which is another copy of it then. */
export const lent = (engine: Engine): Lent => ({
  evaluate: (event) => answer(engine.evaluate(event)),
  resume(body) {
    const { approval_id, call_id, action } = body;
    return answer(engine.resume?.(approval_id, { callId: call_id, ...(action === null ? {} : { action }) }));
  },
  outcome: (body) => answer(engine.outcome?.(body)),
  surface: (body) => promiseOfProgram((engine.surface?.(body) ?? noSurfaces()) as Promise<Decision | null>),
  replays: () => engine.replays === true,
});

const answer = (answering: Promise<EngineAnswer> | undefined): Promise<Decision> =>
  promiseOfProgram((answering ?? nobody()) as Promise<Decision>);

const noSurfaces = async (): Promise<null> => null;

const nobody = async (): Promise<never> => {
  throw new BlockedError(Decision.block("the engine of this guard keeps no transactions"), "resume");
};
