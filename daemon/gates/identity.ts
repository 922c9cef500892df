import type { GateAnswer } from "../engine/judgement.ts";

/** How a principal is known. `token` arrives with the issue of tokens. */
export type PrincipalSource = "claimed" | "token";

/**
 * Who is asking. With `principals: claimed` the event's word is taken and marked as one: nobody looked, so the gate
 * says SKIP and the receipt says `claimed`.
 */
export const identityGate = (source: PrincipalSource): GateAnswer => (source === "token" ? "ALLOW" : "SKIP");
