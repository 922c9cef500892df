import { maxDocumentBytes, type SignedDocument, signedDocumentText } from "../../wire/signed-document.ts";
import type { PrivateKey } from "../keys/private-key.ts";
import { cosignDocument, signDocument } from "../keys/sign-document.ts";
import { trustIn } from "../keys/trust.ts";
import { parseDocumentFile } from "../keys/verify-document.ts";
import { writeFileAtomically } from "../store/write-atomically.ts";
import { textOf } from "./candidate.ts";
import { type LoadedScopes, loadScopes } from "./load.ts";
import { payloadText } from "./payload.ts";
import { readScopeFile } from "./read-file.ts";
import { readSource } from "./read-source.ts";
import { ScopesRefused } from "./refusal.ts";

export interface Signing {
  /** As somebody wrote it; for a further signature, a signed one. */
  readonly path: string;
  readonly key: PrivateKey;
  readonly out: string;
  readonly now_ms: number;
}

export interface Signed {
  readonly loaded: LoadedScopes;
  /** Everybody who has signed it. */
  readonly key_ids: readonly string[];
}

/** Throws `ScopesRefused`, and then has written nothing. */
export const signScopes = async (signing: Signing): Promise<Signed> => {
  const { path, key, now_ms } = signing;
  const { source } = readSource(textOf((await readScopeFile(path)).bytes, path), path);
  return written(signDocument("scopes", payloadText(source, now_ms), key), signing);
};

/** One more signature under what somebody else has signed. Throws `DocumentRefused`, `ScopesRefused`. */
export const cosignScopes = async (signing: Signing): Promise<Signed> => {
  const document = parseDocumentFile(await readScopeFile(signing.path), "scopes");
  return written(cosignDocument(document, signing.key), signing);
};

/** What was made is judged by what will judge it, before it can replace a file that works. */
const written = async (document: SignedDocument, { key, out, now_ms }: Signing): Promise<Signed> => {
  const text = signedDocumentText(document);
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > maxDocumentBytes)
    throw new ScopesRefused("too_large", `${out}: the signed document is larger than ${maxDocumentBytes} bytes`);
  const loaded = await loadScopes({
    file: { path: out, bytes },
    trust: trustIn("scopes", [key.publicKey]),
    served: new Map(),
    now_ms,
    when: "start",
  });
  await writeFileAtomically(out, text).catch((error: NodeJS.ErrnoException) => {
    throw new ScopesRefused("not_written", `${out} cannot be written (${error.code ?? "unknown error"})`);
  });
  return { loaded, key_ids: document.signatures.map(({ key_id }) => key_id) };
};
