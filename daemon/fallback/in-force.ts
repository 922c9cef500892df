import type { OpenLedger } from "../ledger/record.ts";
import type { Publication } from "./publication.ts";
import { needsVersion, PolicyRefused } from "./refusal.ts";

type Served = Pick<OpenLedger, "served" | "recordServed">;

/** Beside the versions of rule sets: no rule set's id has a colon, and no policy's is empty. */
const nameOf = (policyId: string): string => `fallback:${policyId}`;
const inForce = nameOf("");
const none = "none";

/** Was a newer version published, or this one with other contents? @throws PolicyRefused, StoreFailed */
export const checkPublication = async (ledger: Served, publication: Publication | null): Promise<void> => {
  if (publication === null) return;
  const { id, version, digest, path } = publication;
  const before = await ledger.served(nameOf(id));
  if (before === null) return;
  if (before.version === version && before.digest !== digest) throw needsVersion(path, version);
  if (before.version > version) {
    throw new PolicyRefused(
      "policy_version",
      `${path}: version ${version} of ${id} is older than version ${before.version}, which was published; clients refuse it`,
    );
  }
};

/**
 * Remembers what is published from now on, before it is. `note` is told one line for the ledger where that is another policy than
 * before, or none after one. Throws StoreFailed, and what `note` throws.
 */
export const notePublication = async (
  ledger: Served,
  publication: Publication | null,
  note: (line: string) => Promise<void>,
): Promise<void> => {
  const before = (await ledger.served(inForce))?.digest ?? none;
  const digest = publication?.digest ?? none;
  // An engine that is restarted has nothing new to write, so that a full disk does not keep it from blocking.
  if (before === digest) return;
  await note(`${lineOf(publication)}; before: ${before}`);
  const version = publication?.version ?? 0;
  if (publication !== null) await ledger.recordServed(nameOf(publication.id), { version, digest });
  await ledger.recordServed(inForce, { version, digest });
};

const lineOf = (publication: Publication | null): string =>
  publication === null
    ? "no fallback policy"
    : `fallback policy ${publication.id}@${publication.version} ${publication.digest}, signed by ${publication.keyId}`;
