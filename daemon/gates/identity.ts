import type { GateAnswer } from "../engine/judgement.ts";
import type { PrincipalSource } from "../identity/acting.ts";

/**
 * Who is asking. A token was verified, and a configured principal is what the operator wrote: somebody looked. The event's
 * word is taken and marked as one: nobody looked, so the gate says SKIP and the receipt says `claimed`.
 */
export const identityGate = (source: PrincipalSource): GateAnswer => (source === "claimed" ? "SKIP" : "ALLOW");
