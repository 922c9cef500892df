import { localCoordination } from "../coordination/local.ts";
import { trustIn } from "../keys/trust.ts";
import { type Identities, identities } from "./identities.ts";

/** A daemon that takes the event's word, and believes no key. */
export const claimedOnly: Identities = identities({
  rules: { principals: "claimed", principal: null, claims: "any" },
  audience: "test",
  skew_ms: 0,
  trust: () => trustIn("tokens", []),
  notes: {
    ledger: {
      change: () => {
        throw new TypeError("no token is taken here");
      },
    },
    coordination: localCoordination,
  },
  now_ms: Date.now,
});
