import { z } from "zod";
import { admit } from "../../wire/admission.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { timeText } from "../../wire/utc-time.ts";
import type { JsonValue } from "../../wire/value.ts";
import { safeText } from "../operator/display/safe-text.ts";
import { type CheckedScopes, checkScopes } from "./check.ts";
import { parseScopes, refusedFor } from "./read-source.ts";
import { type ScopeProblem, ScopesRefused } from "./refusal.ts";
import { type ScopeSource, sourceSchema, timeSchema } from "./schema.ts";

/** What is signed: the document as it was written, when, and in which format. */
const payloadSchema = z.strictObject({
  ...sourceSchema.shape,
  v: z.literal(1),
  created: timeSchema,
  not_after: timeSchema.nullable(),
});

/** The text that is signed: canonical JSON. */
export const payloadText = (source: ScopeSource, created_ms: number): string =>
  canonicalJson({ ...source, v: 1, created: timeText(created_ms), not_after: source.not_after ?? null } as JsonValue);

/**
 * What somebody has signed, checked as if nobody had: a document that another version of the program let pass is not
 * served by this one. Throws `ScopesRefused`. Call it once the signatures hold. @param shown the file as messages show it.
 */
export const readPayload = (payload: string, shown: string): CheckedScopes => {
  const lineOf = ({ code, path, what }: ScopeProblem): string =>
    `${shown}: ${path.length === 0 ? "" : `${safeText(path.join("."))}: `}${what} (${code})`;
  const parsed = parseScopes(jsonOf(payload, shown), payloadSchema);
  if (!parsed.ok) throw refusedFor(parsed.problems, lineOf);
  const { v: _, created: __, not_after, ...source } = parsed.value;
  const checked = checkScopes(not_after === null ? source : { ...source, not_after });
  if (!checked.ok) throw refusedFor(checked.problems, lineOf);
  return checked.checked;
};

const jsonOf = (payload: string, shown: string): JsonValue => {
  try {
    return admit(Buffer.from(payload, "utf8"));
  } catch {
    throw new ScopesRefused("malformed", `${shown}: what is signed is not strict JSON`);
  }
};
