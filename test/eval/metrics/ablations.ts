import { standardSet } from "../scenarios/standard.ts";
import { unsafeUnder } from "./unsafe-writes.ts";

/** Unsafe writes of the standard set where one gate alone is left out. */
export interface Ablations {
  readonly without_policy: number;
  readonly without_evidence: number;
  readonly without_idempotency: number;
  readonly total: number;
}

export const ablations = async (): Promise<Ablations> => ({
  without_policy: (await unsafeUnder("no-policy")).size,
  without_evidence: (await unsafeUnder("no-evidence")).size,
  without_idempotency: (await unsafeUnder("no-idempotency")).size,
  total: standardSet.length,
});
