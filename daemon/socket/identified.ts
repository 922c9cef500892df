import { canonicalJson } from "../../wire/canonical.ts";
import type { ReceivedEvent } from "../../wire/event.ts";
import type { Judgement } from "../engine/judgement.ts";
import type { Acting, IdentityRefusal } from "../identity/acting.ts";
import { blockJudgement } from "../ledger/decision-record.ts";
import type { Asking } from "./asked-question.ts";

/** An event as it is judged and recorded: with the name of who acts, also where its client named nobody. */
export const receivedAs = (received: ReceivedEvent, { principal }: Acting): ReceivedEvent =>
  received.event.principal === principal ? received : { ...received, event: { ...received.event, principal } };

/** An event of a client, once it is known who acts in it. Where nobody may, that is its answer, and no rule sees it. */
export const identifiedAsking = (line: Uint8Array, id: string, received: ReceivedEvent, acting: Acting): Asking => ({
  line,
  judgedLine: line,
  id,
  received: receivedAs(received, acting),
  acting,
  argsCanonical: canonicalJson(received.argsJson),
  resume: null,
  fixed: acting.refused === null ? null : { judged: refusedBy(acting.refused), plan: null },
});

/** The block of the identity gate, the only one that was asked. */
export const refusedBy = ({ code, reason }: IdentityRefusal): Judgement => ({
  ...blockJudgement(code, reason),
  traceJson: '["identity:DENY"]',
});
