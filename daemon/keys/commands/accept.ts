import { admit } from "../../../wire/admission.ts";
import { WireError } from "../../../wire/errors.ts";
import { isObject, own } from "../../../wire/fields.ts";
import { maxDocumentBytes, signedDocumentText } from "../../../wire/signed-document.ts";
import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { FileUnread, readRegularFile } from "../../store/regular-file.ts";
import { changeKeyring, type KeyringPlaces } from "../change-keyring.ts";
import { DocumentRefused } from "../document-refused.ts";
import { parseHandover } from "../handover.ts";
import { parseRevocation } from "../revocation.ts";
import { parseDocumentFile } from "../verify-document.ts";
import { withDocument } from "./documents.ts";
import { afterReload } from "./takes-effect.ts";

/** `interlock keys accept FILE`: a hand-over or a revocation that somebody sent, where this keyring believes who signed it. */
export const accept = (places: KeyringPlaces, path: string): Promise<CommandResult> =>
  orRefusal(async () => {
    const bytes = await readDocument(path);
    const kind = kindOf(bytes);
    const document = parseDocumentFile({ path, bytes }, kind);
    const text = signedDocumentText(document);
    const list = kind === "revocation" ? "revocations" : "handovers";
    await changeKeyring(places, (file) => [withDocument(file, list, text), null]);
    const json = { document: kind, keyring: places.keyring.path };
    if (kind === "revocation") {
      const { key_id } = parseRevocation(document.payload)!;
      return done([`key ${key_id} is revoked`, `wrote ${places.keyring.path}`, afterReload], { ...json, key_id });
    }
    const { role, from, to } = parseHandover(document.payload)!;
    return done([`key ${from} hands ${role} over to key ${to.keyId}`, `wrote ${places.keyring.path}`, afterReload], {
      ...json,
      role,
      from,
      to: to.keyId,
    });
  }, ExitCode.refused);

const readDocument = async (path: string): Promise<Uint8Array> => {
  try {
    return await readRegularFile(path, maxDocumentBytes);
  } catch (error) {
    if (!(error instanceof FileUnread)) throw error;
    throw new DocumentRefused("document_malformed", error.message);
  }
};

/** Only which parser it is put to: that one refuses what is of another kind. */
const kindOf = (bytes: Uint8Array): "handover" | "revocation" => {
  try {
    const json = admit(bytes);
    return isObject(json) && own(json, "document") === "revocation" ? "revocation" : "handover";
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return "handover";
  }
};
