import { WireError } from "../../../wire/errors.ts";
import { parseFallbackPolicy } from "../../../wire/fallback/parse-policy.ts";
import type { FallbackPolicy } from "../../../wire/fallback/policy.ts";
import { parseSignedDocument } from "../../../wire/signed-document.ts";
import { readExistingPolicyFile } from "../read-file.ts";
import { PolicyRefused } from "../refusal.ts";
import { readPolicy } from "../source.ts";

export interface Candidate {
  readonly policy: FallbackPolicy;
  /** A signed file was read; nobody's signature was looked at. */
  readonly isSigned: boolean;
}

/** What a command that reads a signed file owes to whoever reads its answer. */
export const signatureNote = "note: its signature was not looked at; a client blocks everything where it does not hold";

/** A policy as somebody wrote it, or the signed file that it became. @throws PolicyRefused */
export const readCandidate = async (path: string, now_ms: number): Promise<Candidate> => {
  const bytes = await readExistingPolicyFile(path);
  const text = bytes.toString("utf8");
  if (!text.startsWith('{"document":')) return { policy: readPolicy(text, path, now_ms).policy, isSigned: false };
  try {
    return { policy: parseFallbackPolicy(parseSignedDocument(bytes, "fallback").payload), isSigned: true };
  } catch (error) {
    if (error instanceof WireError) throw new PolicyRefused("policy_malformed", `${path}: ${error.message}`);
    throw error;
  }
};
