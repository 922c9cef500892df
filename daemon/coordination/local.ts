import type { Coordination } from "./coordination.ts";

/** One daemon, one store: the store's own rows are all there is to agree on. */
export const localCoordination: Coordination = Object.freeze({
  enter: ({ transaction_id, claim }) => ({
    kind: "entered",
    ticket: { transaction_id, claim_key: claim?.key ?? null },
  }),
  leave: () => undefined,
  closed: () => undefined,
  noteToken: () => true,
  onEnded: () => undefined,
  recover: () => undefined,
  close: () => undefined,
} satisfies Coordination);
