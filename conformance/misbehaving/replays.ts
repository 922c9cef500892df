import { answering, type Conduct, type Misbehaviour, misbehaviour } from "./conduct.ts";

const details = { approval_id: null, code: "replayed", errors: [], replayed: true, transaction_id: "tx_1" };

/** Where `details` was not agreed on, the key alone is reason enough to block. */
const replayed = (changes: Readonly<Record<string, unknown>>): Conduct =>
  answering((peer, id) => `${peer.allow(id, { details, ...changes })}\n`);

/** A repeat of a call that ran, answered in forms that would run it again. */
export const replayMisbehaviours: readonly Misbehaviour[] = [
  misbehaviour(
    "replay",
    "A proper replay: the recorded result may be delivered, the call does not run.",
    replayed({ verdict: 1, reason: "it ran before", modified_result: { paid: 5 } }),
  ),
  misbehaviour("replay-withheld", "A proper replay without its result.", replayed({ verdict: 1, reason: "it ran" })),
  misbehaviour("replay-as-allow", "A replay that reads as leave to run.", replayed({ verdict: 0 })),
  misbehaviour("replay-as-rewrite", "A replay with arguments.", replayed({ verdict: 2, modified_args: { eur: 5 } })),
  misbehaviour("replay-as-escalation", "A replay that asks for a yes.", replayed({ verdict: 3, reason: "ask" })),
  misbehaviour(
    "replay-of-no-transaction",
    "A replay that does not say what ran.",
    replayed({ verdict: 0, details: { ...details, transaction_id: null } }),
  ),
  misbehaviour(
    "replay-of-another-code",
    "An ALLOW that says it is a replay, under another code.",
    replayed({ verdict: 0, details: { ...details, code: "allowed" } }),
  ),
];
