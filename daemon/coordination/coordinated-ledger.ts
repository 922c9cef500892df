import type { CommitResult, Entry, Ledger } from "../ledger/record.ts";
import type { Maybe } from "../store/steps.ts";
import type { Plan, Settled } from "../transactions/plan.ts";
import type { Coordination, Entry as Entered } from "./coordination.ts";

/**
 * A ledger whose calls enter the coordination before they are settled, and leave it after. Whoever is refused there is
 * recorded as refused and asks the store for nothing.
 */
export const coordinatedLedger = (ledger: Ledger, coordination: Coordination): Ledger => ({
  commit: (entries) => commit(ledger, coordination, entries),
  appendControl: (record) => ledger.appendControl(record),
  remembersSession: (session) => ledger.remembersSession(session),
  findDecision: (ask) => ledger.findDecision(ask),
  close: () => ledger.close(),
});

const commit = (ledger: Ledger, coordination: Coordination, entries: readonly Entry[]) => {
  const entering = entries.map(({ plan }) => enter(coordination, plan));
  if (!entering.some((answer) => answer instanceof Promise)) {
    return settle(ledger, coordination, entries, entering as (Entered | null)[]);
  }
  return Promise.all(entering).then((entered) => settle(ledger, coordination, entries, entered));
};

/** Null for what takes nothing. */
const enter = (coordination: Coordination, plan: Plan | null): Maybe<Entered | null> =>
  plan?.kind === "authorize" || plan?.kind === "ask" ? coordination.enter(plan.intent) : null;

const settle = (
  ledger: Ledger,
  coordination: Coordination,
  entries: readonly Entry[],
  entered: readonly (Entered | null)[],
): Maybe<readonly CommitResult[]> => {
  const refusals = entered.map(refusalOf);
  const admitted = entries.map((entry, at) => {
    const refusal = refusals[at] ?? null;
    return refusal === null ? entry : { plan: null, record: () => entry.record(refusal) };
  });
  const tell = (results: readonly CommitResult[] | null): readonly CommitResult[] => {
    for (const [at, { plan }] of entries.entries()) {
      const result = results?.[at];
      const settled = result === undefined || result.outcome === "not_durable" ? null : result.settled;
      const entry = entered[at] ?? null;
      if (entry?.kind === "entered") coordination.leave(entry.ticket, settled);
      if (settled?.kind === "closed") tellClosed(coordination, plan, settled.transaction_id);
    }
    return (results ?? []).map((result, at) => withRefusal(result, refusals[at] ?? null));
  };
  const committed = ledger.commit(admitted);
  if (!(committed instanceof Promise)) return tell(committed);
  return committed.then(tell, (error: unknown) => {
    tell(null);
    throw error;
  });
};

const refusalOf = (entered: Entered | null): Settled | null => {
  if (entered === null || entered.kind === "entered") return null;
  return entered.kind === "refused" ? entered.settled : { kind: "coordination_unavailable" };
};

const withRefusal = (result: CommitResult, refusal: Settled | null): CommitResult =>
  refusal === null || result.outcome === "not_durable" ? result : { ...result, settled: refusal };

const tellClosed = (coordination: Coordination, plan: Plan | null, transaction_id: string): void => {
  if (plan?.kind === "close") coordination.closed(transaction_id, { kind: "executed", result: plan.result });
  else if (plan?.kind === "fail") coordination.closed(transaction_id, { kind: "released" });
};
