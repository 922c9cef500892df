import { createHash } from "node:crypto";
import { canonical } from "../../../wire/canonical.ts";
import type { DriftAction, Finding, Severity } from "../finding.ts";
import { type ItemKind, type ItemRef, itemKey, type ServerIdentity, type ServerKey, type Surface } from "../surface.ts";

/** What a server offered at one moment, by hashes; the definitions lie beside it (definitions.ts). */
export interface Snapshot {
  /** `Surface.hash`. */
  readonly hash: string;
  readonly identity: ServerIdentity | null;
  readonly listed: readonly ItemKind[];
  /** As `Surface.items`: sorted by kind, then name. */
  readonly items: readonly KnownItem[];
}

export interface KnownItem extends ItemRef {
  readonly hash: string;
  /** Of what is approved: the baseline with which an operator approved it last. Absent: first use. What its tool does is learned anew since then. */
  readonly approved_in?: number;
}

/** What was approved. A new one takes its place; it is never changed, and all of them are kept. */
export interface Baseline extends Snapshot {
  /** From 1 on. */
  readonly version: number;
  readonly approved_ms: number;
  /** `first_use`, or `operator:<name>`. */
  readonly approved_by: string;
}

/** What stands of an item that is not as it was approved, or that somebody quarantined. */
export interface ItemState extends ItemRef {
  readonly action: Exclude<DriftAction, "allow">;
  readonly severity: Severity;
  /** Worst first. */
  readonly findings: readonly Finding[];
  /** Null where nobody approved it. */
  readonly approved_hash: string | null;
  /** As it was listed last; null where it is not listed any more. */
  readonly observed_hash: string | null;
  /** As it was when it became held; null while it is not. It may have changed since, and is held all the same. */
  readonly held_hash: string | null;
  /** `daemon`, or `operator:<name>`. */
  readonly by: string;
  readonly since_ms: number;
}

/** The same of the server itself: who it is, and that it offers nothing any more. */
export interface ServerState {
  readonly action: Exclude<DriftAction, "allow">;
  readonly severity: Severity;
  readonly findings: readonly Finding[];
  readonly since_ms: number;
}

/** Everything that is known of a server, for one credential. Replaced whole with each change. */
export interface ServerRecord extends ServerKey {
  readonly v: 1;
  /** `first_use`: nobody said anything of it. `operator`: somebody trusts it. `removed`: nothing of it may be called. */
  readonly trust: "first_use" | "operator" | "removed";
  /** What an operator said that it is; only a `non_production` one can be probed. */
  readonly environment: "production" | "non_production";
  readonly probes: boolean;
  readonly first_seen_ms: number;
  /** Null where nothing of it was approved yet. */
  readonly baseline: Baseline | null;
  readonly observed: Snapshot & { readonly at_ms: number };
  /** By kind, then name; what is as it was approved has none. */
  readonly items: readonly ItemState[];
  readonly self: ServerState | null;
}

/** The key of its documents: 64 hex digits. */
export const recordKey = ({ server, credential }: ServerKey): string =>
  createHash("sha256").update(canonical({ credential, server })).digest("hex");

/** What a reviewer of a whole server names: everything that it offers, and who it is. */
export const reviewHash = ({ hash, identity }: Pick<Snapshot, "hash" | "identity">): string =>
  `sha256:${createHash("sha256")
    .update(canonical({ identity: identity as never, surface: hash }))
    .digest("hex")}`;

export const snapshotOf = ({ hash, identity, listed, items }: Surface): Snapshot => ({
  hash,
  identity,
  listed,
  items: items.map(({ kind, name, hash: of }) => ({ kind, name, hash: of })),
});

/** What a daemon wrote: a row of another form is a fault of the program. */
export const parseRecord = (body: string): ServerRecord => JSON.parse(body) as ServerRecord;
export const recordText = (record: ServerRecord): string => JSON.stringify(record);

export const hashesOf = (items: readonly KnownItem[]): Map<string, string> =>
  new Map(items.map((item) => [itemKey(item), item.hash]));

export const byItemKey = (one: ItemRef, other: ItemRef): number => (itemKey(one) < itemKey(other) ? -1 : 1);

/** Does it keep a call from running? */
export const holds = (action: DriftAction): action is "deny" | "quarantine" =>
  action === "deny" || action === "quarantine";
