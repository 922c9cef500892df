/** What became of the world by a result's own word, from nothing to what cannot be taken back. */
export type EffectClass =
  | "no_effect"
  | "read"
  | "preview"
  | "dry_run"
  | "plan"
  | "draft_created"
  | "scheduled"
  | "queued"
  | "deferred"
  | "delayed"
  | "created"
  | "updated"
  | "applied"
  | "mutating"
  | "sent"
  | "published"
  | "submitted"
  | "external_send"
  | "deleted"
  | "destroyed"
  | "deployed"
  | "released"
  | "executed"
  | "charged"
  | "refunded"
  | "transferred"
  | "money_movement";

export const effectRank: Readonly<Record<EffectClass, number>> = Object.freeze({
  no_effect: 0,
  read: 0,
  preview: 1,
  dry_run: 1,
  plan: 1,
  draft_created: 2,
  scheduled: 2,
  queued: 2,
  deferred: 2,
  delayed: 2,
  created: 3,
  updated: 3,
  applied: 3,
  mutating: 3,
  sent: 4,
  published: 4,
  submitted: 4,
  external_send: 4,
  deleted: 5,
  destroyed: 5,
  deployed: 5,
  released: 5,
  executed: 5,
  charged: 5,
  refunded: 5,
  transferred: 5,
  money_movement: 5,
});

const spelled: Readonly<Partial<Record<EffectClass, string>>> = {
  preview: "previewed simulated preview simulation",
  dry_run: "dryrun dry_run",
  plan: "planned",
  draft_created: "drafted draft draft_created",
  created: "created inserted added",
  updated: "updated modified changed saved edited",
  sent: "sent emailed dispatched forwarded",
  published: "published posted",
  deleted: "deleted removed erased purged",
  charged: "charged billed",
  transferred: "transferred",
};

/** Whole words only: a `range` is not `ran`, and `presented` is not `sent`. */
export const effectOfWord: ReadonlyMap<string, EffectClass> = new Map<string, EffectClass>([
  ...Object.keys(effectRank).map((kind) => [kind, kind as EffectClass] as const),
  ...Object.entries(spelled).flatMap(([kind, list]) =>
    list.split(" ").map((word) => [word, kind as EffectClass] as const),
  ),
]);

export const isTemporal: ReadonlySet<EffectClass> = new Set(["scheduled", "queued", "deferred", "delayed"]);

/** What a deed is called that is still to come: `queued for deletion`, `{status: "scheduled", type: "payment"}`. */
export const deedToCome: ReadonlyMap<string, EffectClass> = new Map<string, EffectClass>(
  (
    [
      ["deleted", "deletion delete removal purge"],
      ["sent", "sending send delivery email mail message"],
      ["published", "publication publish publishing post"],
      ["deployed", "deployment deploy release rollout"],
      ["executed", "execution execute run job"],
      ["charged", "charge payment billing"],
      ["refunded", "refund"],
      ["transferred", "transfer payout withdrawal"],
    ] as const
  ).flatMap(([kind, list]) => list.split(" ").map((word) => [word, kind] as const)),
);
