import { canonicalJson } from "../../../wire/canonical.ts";
import { deepFreeze } from "../../../wire/freeze.ts";
import type { JsonObject } from "../../../wire/value.ts";
import type { DocumentReads, DocumentTx } from "../../store/document-rows.ts";
import { type Steps, step } from "../../store/steps.ts";
import type { Surface, SurfaceItem } from "../surface.ts";
import { hashesOf, type ServerRecord, type Snapshot } from "./record.ts";

/**
 * What was listed, word by word, as JCS text under its hash: what a reviewer is shown. What was once approved is kept for good
 * (`<record>:<hash>`); what was only seen until something else is seen in its place (`<record>/<hash>`), so that a server which lists
 * something else each time fills no store.
 */
const approvedKey = (record: string, hash: string): string => `${record}:${hash}`;
const seenKey = (record: string, hash: string): string => `${record}/${hash}`;

const pageSize = 500;

/** Keeps the definitions of what `after` names, and lets go of what only `before` named. */
export function* keepDefinitions(
  tx: DocumentTx,
  record: string,
  before: ServerRecord | null,
  after: ServerRecord,
  observed: Surface,
): Steps<void> {
  const definitions = new Map(observed.items.map(({ hash, definition }) => [hash, definition]));
  const approved = hashesIn(after.baseline);
  const known = hashesIn(before?.baseline ?? null);
  for (const hash of approved) {
    const definition = definitions.get(hash);
    if (definition === undefined || known.has(hash)) continue;
    yield* step(tx.keepDocument("definition", approvedKey(record, hash), canonicalJson(definition as JsonObject)));
  }
  const wanted = seenHashes(after);
  const kept = before === null ? new Set<string>() : seenHashes(before);
  for (const [hash, definition] of definitions) {
    if (kept.has(hash) || !wanted.has(hash)) continue;
    yield* step(tx.keepDocument("definition", seenKey(record, hash), canonicalJson(definition as JsonObject)));
  }
  yield* forget(tx, record, kept, wanted);
}

/** What was seen is approved: it is kept for good from here on. */
export function* approveDefinitions(
  tx: DocumentTx,
  record: string,
  before: ServerRecord,
  after: ServerRecord,
): Steps<void> {
  const known = hashesIn(before.baseline);
  for (const hash of hashesIn(after.baseline)) {
    if (known.has(hash)) continue;
    const seen = yield* step(tx.findDocument("definition", seenKey(record, hash)));
    if (seen !== null) yield* step(tx.keepDocument("definition", approvedKey(record, hash), seen.body));
  }
  yield* forget(tx, record, seenHashes(before), seenHashes(after));
}

/** Null where nobody keeps it any more. */
export function* findDefinition(reads: DocumentReads, record: string, hash: string): Steps<JsonObject | null> {
  const approved = yield* step(reads.findDocument("definition", approvedKey(record, hash)));
  const found = approved ?? (yield* step(reads.findDocument("definition", seenKey(record, hash))));
  return found === null ? null : (JSON.parse(found.body) as JsonObject);
}

/** The baseline with its definitions. */
export function* approvedSurface(reads: DocumentReads, record: string, of: ServerRecord): Steps<Surface | null> {
  const { baseline, server, credential } = of;
  if (baseline === null) return null;
  const wanted = hashesIn(baseline);
  const definitions = new Map<string, JsonObject>();
  const prefix = `${record}:`;
  for (let after = ""; ; ) {
    const page = yield* step(reads.listDocuments("definition", { prefix, after, limit: pageSize }));
    for (const { key, body } of page) {
      const hash = key.slice(prefix.length);
      if (wanted.has(hash)) definitions.set(hash, deepFreeze(JSON.parse(body) as JsonObject));
    }
    if (page.length < pageSize) break;
    after = (page.at(-1) as { key: string }).key;
  }
  const items = baseline.items.map(
    ({ kind, name, hash }): SurfaceItem => ({ kind, name, hash, definition: definitions.get(hash) ?? {} }),
  );
  return { server, credential, identity: baseline.identity, items, listed: baseline.listed, hash: baseline.hash };
}

function* forget(tx: DocumentTx, record: string, kept: ReadonlySet<string>, wanted: ReadonlySet<string>): Steps<void> {
  for (const hash of kept) if (!wanted.has(hash)) yield* step(tx.deleteDocument("definition", seenKey(record, hash)));
}

const hashesIn = (snapshot: Snapshot | null): Set<string> =>
  new Set(snapshot === null ? [] : snapshot.items.map(({ hash }) => hash));

/** What is kept though nobody approved it: what is listed now, and what was when it became held. */
const seenHashes = ({ baseline, observed, items }: ServerRecord): Set<string> => {
  const approved = hashesIn(baseline);
  const seen = new Set(hashesOf(observed.items).values());
  for (const { held_hash } of items) if (held_hash !== null) seen.add(held_hash);
  for (const hash of approved) seen.delete(hash);
  return seen;
};
