import type { OfflineBody, OfflineDecision } from "../../wire/offline-body.ts";
import { Verdict } from "../../wire/verdict.ts";
import type { Judgement } from "../engine/judgement.ts";
import { nobodyNamed } from "../identity/acting.ts";
import { blockJudgement, decisionRecord, nothingBesides, takenDown } from "../ledger/decision-record.ts";
import type { CommitResult, DecisionRecord, Entry } from "../ledger/record.ts";
import { answerFor } from "./answer.ts";
import type { CommitGroup } from "./commit-group.ts";
import type { Connection } from "./connection.ts";
import { refusedBy } from "./identified.ts";
import type { Bench } from "./question-desk.ts";

type TellingBench = Pick<Bench, "identities" | "now_ms" | "state">;

/**
 * Records what a client decided by its fallback policy while it could not reach a daemon. It is the client's word: whom it names
 * is a claim, and nothing of it was judged here. Answered once every decision of the frame is durable, those that were told
 * before included.
 */
export class OfflineTelling {
  readonly #bench: TellingBench;
  readonly #group: CommitGroup;

  constructor(bench: TellingBench, group: CommitGroup) {
    this.#bench = bench;
    this.#group = group;
  }

  tell(connection: Connection, id: string, { decisions }: OfflineBody): void {
    connection.began();
    const { identity, refused } = this.#bench.identities.acting(nobodyNamed, connection.token);
    // Whoever may not act here is not recorded as having acted: it tells again once it may.
    if (refused !== null) {
      this.#group.say(connection, answerFor(id, refusedBy(refused), connection.session.features).frame);
      connection.ended();
      return;
    }
    let left = decisions.length;
    let isDurable = true;
    const settled = (result: CommitResult): void => {
      if (result.outcome === "not_durable") isDurable = false;
      if (--left > 0) return;
      this.#group.speak(
        connection,
        answerFor(id, isDurable ? recorded : notRecorded, connection.session.features).frame,
      );
      connection.ended();
    };
    for (const decision of decisions) this.#group.decide(this.#entry(decision, connection, identity), settled);
  }

  #entry(decision: OfflineDecision, { session }: Connection, identity: string | null): Entry {
    const time_ms = this.#bench.now_ms();
    const { loaded } = this.#bench.state.index;
    const { action, phase, principal, parent_principal, call_id, at_ms, policy, salt, args_commitment } = decision;
    const record = (): DecisionRecord =>
      decisionRecord(
        {
          time_ms,
          event: { action, args: {}, phase, principal, parent_principal, span_id: null, ts: null, call_id },
          argsCanonical: "",
          // Nobody asks it again: the entry's own id is what a second telling is known by.
          session: null,
          request: decision.id,
          loaded,
          acting: { source: "claimed", identity },
          client: session.client,
          grade: null,
        },
        judgementOf(decision),
        { ...nothingBesides, committed: { salt, commitment: args_commitment }, offline: { at_ms, policy } },
      );
    return {
      plan: { kind: "tell", id: decision.id, now_ms: time_ms },
      record: (settled) => (settled?.kind === "told" ? record() : null),
    };
  }
}

const judgementOf = ({ policy, rule, verdict }: OfflineDecision): Judgement => ({
  ...recorded,
  verdict: Verdict[verdict],
  code: "decided_offline",
  reason: `decided by the client's fallback policy ${policy}${rule === null ? ", of which no rule allows it" : ""}`,
  policy_id: rule === null ? null : `fallback:${rule}`,
  traceJson: JSON.stringify([`fallback${rule === null ? "" : `/${rule}`}:${verdict === "ALLOW" ? "ALLOW" : "DENY"}`]),
});

const recorded = takenDown("offline_recorded");

const notRecorded = blockJudgement("ledger_unavailable", "the receipt could not be made durable");
