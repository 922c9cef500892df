import type { CommitResult, Entry } from "../ledger/record.ts";
import { type Maybe, whenDone } from "../store/steps.ts";
import type { Intent, Settled } from "../transactions/plan.ts";
import type { Coordination, Entry as Entered, Outcome, Ticket } from "./coordination.ts";

/** An entry as the store gets it, and what the other daemons are told once it is known what became of it. */
export interface Coordinated {
  readonly entry: Entry;
  /** To be called once, with what the store said. */
  done(result: CommitResult): void;
}

const nothingToTell = (): void => undefined;

/**
 * Asks what daemons share before the store is asked. A call that is refused there takes nothing in the store; one that
 * entered is given back unless the store authorizes it too. Nobody waits for it but this entry: what needs no agreement
 * goes on while Redis is slow.
 */
export const coordinated = (entry: Entry, coordination: Coordination): Maybe<Coordinated> => {
  const { plan } = entry;
  if (plan === null || plan.kind === "refuse" || plan.kind === "tell") return { entry, done: nothingToTell };
  if (plan.kind === "close") return telling(entry, coordination, { kind: "executed", result: plan.result });
  if (plan.kind === "fail") return telling(entry, coordination, { kind: "released" });
  return whenDone(coordination.enter(plan.intent), (entered) => after(entered, entry, plan.intent, coordination));
};

const after = (entered: Entered, entry: Entry, intent: Intent, coordination: Coordination): Coordinated => {
  if (entered.kind === "entered") return leaving(entry, entered.ticket, coordination);
  const settled: Settled = entered.kind === "refused" ? entered.settled : { kind: "coordination_unavailable" };
  // A call that exceeds a limit has its row, as where the store says so; one that ran or runs has it already.
  const plan = settled.kind === "limit_exceeded" ? ({ kind: "refuse", intent, code: settled.kind } as const) : null;
  return { entry: { plan, record: () => entry.record(settled) }, done: nothingToTell };
};

const leaving = (entry: Entry, ticket: Ticket, coordination: Coordination): Coordinated => ({
  entry,
  done: (result) => coordination.leave(ticket, result.outcome === "durable" ? result.settled : null),
});

const telling = (entry: Entry, coordination: Coordination, outcome: Outcome): Coordinated => ({
  entry,
  done: (result) => {
    if (result.outcome !== "durable" || result.settled?.kind !== "closed") return;
    coordination.closed(result.settled.transaction_id, outcome);
  },
});
