import { canonical } from "../../wire/canonical.ts";
import type { SurfaceBody } from "../../wire/surface-body.ts";
import { Verdict } from "../../wire/verdict.ts";
import type { Judgement } from "../engine/judgement.ts";
import { serverDenial } from "../gates/quarantine.ts";
import { nobodyNamed } from "../identity/acting.ts";
import { blockJudgement, decisionRecord, nothingBesides, takenDown } from "../ledger/decision-record.ts";
import type { CommitResult, Entry } from "../ledger/record.ts";
import { heldItems } from "../surfaces/held-items.ts";
import type { NotTaken, TakenReport } from "../surfaces/keeper.ts";
import { maxKnownItems, maxServers } from "../surfaces/limits.ts";
import { parseSurfaceBody, SurfaceRefused } from "../surfaces/parse-surface.ts";
import { recordKey } from "../surfaces/state/record.ts";
import type { Surface } from "../surfaces/surface.ts";
import { answerFor } from "./answer.ts";
import type { CommitGroup } from "./commit-group.ts";
import type { Connection } from "./connection.ts";
import { refusedBy } from "./identified.ts";
import { orFailed } from "./or-failed.ts";
import type { Bench } from "./question-desk.ts";

type SurfaceBench = Pick<Bench, "identities" | "now_ms" | "state" | "stops" | "surfaces">;

/** What a report is recorded as. */
export const surfaceAction = "interlock.surface";

/**
 * A report of what a server offers, from frame to answer: parsed, judged against what was approved, kept, and answered once all of
 * that is durable. From then on the calls of its session are judged by it.
 */
export class SurfaceDesk {
  readonly #bench: SurfaceBench;
  readonly #group: CommitGroup;

  constructor(bench: SurfaceBench, group: CommitGroup) {
    this.#bench = bench;
    this.#group = group;
  }

  report(connection: Connection, id: string, body: SurfaceBody): void {
    connection.began();
    const { identities, stops, surfaces } = this.#bench;
    const { refused } = identities.acting(nobodyNamed, connection.token);
    // Whoever may not act here changes nothing of what is known.
    if (refused !== null) this.#turnAway(connection, id, refusedBy(refused));
    else if (stops.block !== null) this.#turnAway(connection, id, blockJudgement(stops.block.code, stops.block.reason));
    else {
      let observed: Surface;
      try {
        observed = parseSurfaceBody(body);
      } catch (error) {
        if (!(error instanceof SurfaceRefused)) throw error;
        this.#answer(connection, id, body, null, blockJudgement("surface_refused", error.message));
        return;
      }
      orFailed(
        () => surfaces.keeper.report(observed),
        (taken) => this.#taken(connection, id, body, observed, taken),
        () => this.#answerUnkept(connection, id),
      );
    }
  }

  #taken(
    connection: Connection,
    id: string,
    body: SurfaceBody,
    observed: Surface,
    taken: TakenReport | NotTaken,
  ): void {
    if (taken.kind !== "taken") {
      this.#answer(connection, id, body, null, notTaken(taken));
      return;
    }
    this.#answer(connection, id, body, { observed, taken }, judgementOf(observed, taken));
  }

  /** @param kept null where the listing was refused: then the session has seen nothing of the server. */
  #answer(
    connection: Connection,
    id: string,
    body: SurfaceBody,
    kept: { readonly observed: Surface; readonly taken: TakenReport } | null,
    judged: Judgement,
  ): void {
    const { session } = connection;
    const key = recordKey(body);
    const answer = answerFor(id, judged, session.features);
    const settled = (result: CommitResult): void => {
      const { now_ms, surfaces } = this.#bench;
      if (result.outcome === "durable") {
        const ttl_ms = Math.min(body.ttl_ms ?? surfaces.maxAge_ms, surfaces.maxAge_ms);
        if (kept === null || answer.judged.code === "answer_too_large") surfaces.sessions.forget(session, key);
        else surfaces.sessions.report(session, key, kept.taken.seen, now_ms(), ttl_ms);
        this.#group.speak(connection, answer.frame);
        connection.ended();
      } else {
        surfaces.sessions.forget(session, key);
        this.#group.speak(connection, answerFor(id, notRecorded, session.features).frame);
        connection.ended();
      }
    };
    this.#group.decide(this.#entry(connection, id, body, kept?.observed ?? null, answer.judged), settled);
  }

  #entry(connection: Connection, id: string, body: SurfaceBody, observed: Surface | null, judged: Judgement): Entry {
    const { session } = connection;
    const { identities, now_ms, state } = this.#bench;
    const acting = identities.acting(nobodyNamed, connection.token);
    const { credential, server } = body;
    const event = {
      action: surfaceAction,
      args: {},
      phase: "result" as const,
      principal: acting.principal,
      parent_principal: null,
      span_id: null,
      ts: null,
      call_id: null,
    };
    const record = decisionRecord(
      {
        time_ms: now_ms(),
        event,
        argsCanonical: canonical({ credential, hash: observed?.hash ?? null, server }),
        // A report that is not answered is made anew: nobody asks for its answer again.
        session: null,
        request: id,
        loaded: state.index.loaded,
        acting,
        client: session.client,
        grade: null,
      },
      judged,
      {
        ...nothingBesides,
        finalCanonical: judged.modified_result === null ? null : canonical(judged.modified_result as never),
      },
    );
    return { plan: null, record: () => record };
  }

  #answerUnkept(connection: Connection, id: string): void {
    this.#turnAway(connection, id, notRecorded);
  }

  #turnAway(connection: Connection, id: string, judged: Judgement): void {
    this.#group.say(connection, answerFor(id, judged, connection.session.features).frame);
    connection.ended();
  }
}

const judgementOf = (observed: Surface, { known, seen, provenance }: TakenReport): Judgement => {
  const surface = known.record.baseline?.hash ?? null;
  const denial = serverDenial(known, seen);
  if (denial !== null) return { ...blockJudgement(denial.code, denial.reason), traceJson: denied, surface };
  const held = heldItems(observed, known, seen);
  if (held.length === 0) return { ...takenDown("surface_recorded"), reason: provenance, traceJson: allowed, surface };
  return {
    ...takenDown("surface_held"),
    verdict: Verdict.MODIFY,
    reason: `${held.length} of ${observed.items.length} items are held`,
    modified_result: { held: held.map((item) => ({ ...item })) },
    traceJson: denied,
    surface,
  };
};

const allowed = '["quarantine:ALLOW"]';
const denied = '["quarantine:DENY"]';

const notTaken = (why: NotTaken): Judgement => {
  switch (why.kind) {
    case "removed":
      return blockJudgement(
        "server_removed",
        "an operator removed this server; interlock servers trust brings it back",
      );
    case "too_many_items":
      return blockJudgement("surface_refused", `more than ${maxKnownItems} items of servers are known`);
    case "too_many_servers":
      return blockJudgement("surface_refused", `more than ${maxServers} servers are known`);
    case "provenance":
      return blockJudgement("provenance_refused", why.reason);
  }
};

const notRecorded = blockJudgement("ledger_unavailable", "what the server offers could not be made durable");
