import { signedDocumentText } from "../../../wire/signed-document.ts";
import { timeText } from "../../../wire/utc-time.ts";
import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { changeKeyring, type KeyringPlaces } from "../change-keyring.ts";
import { handoverText } from "../handover.ts";
import { KeyRefused } from "../key-error.ts";
import type { PassphraseSource } from "../passphrase.ts";
import { readPrivateKey } from "../read-private-key.ts";
import { readTrustedKeys } from "../read-trusted-keys.ts";
import type { KeyRole } from "../roles.ts";
import { signDocument } from "../sign-document.ts";
import { withDocument, writeDocument } from "./documents.ts";

export interface HandoverCommand {
  readonly from: string;
  readonly to: string;
  readonly role: KeyRole;
  readonly now_ms: number;
  /** Null: from now on, and without end. */
  readonly not_before_ms: number | null;
  readonly not_after_ms: number | null;
  readonly passphrase: PassphraseSource;
  /** Where the document is written too, for others who believe the old key. */
  readonly out: string | null;
}

/** `interlock keys handover --from OLD --to NEW.pub --role R`: whoever believes the old key believes the new one. */
export const handover = (places: KeyringPlaces, command: HandoverCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const { from, to, role, now_ms, not_after_ms, passphrase, out } = command;
    const [successor, ...more] = await readTrustedKeys(to);
    if (successor === undefined || more.length > 0) {
      throw new KeyRefused("key_malformed", `${to} holds ${more.length + 1} public keys; a key has one successor`);
    }
    const old = await readPrivateKey(from, passphrase);
    // Whole seconds, as they are written; what is signed now was not signed later.
    const at_ms = now_ms - (now_ms % 1000);
    const not_before_ms = Math.max(at_ms, command.not_before_ms ?? at_ms);
    const payload = handoverText({ role, from: old.keyId, to: successor, at_ms, not_before_ms, not_after_ms });
    const document = signDocument("handover", payload, old);
    const text = signedDocumentText(document);
    await changeKeyring(places, (file) => [withDocument(file, "handovers", text), null]);
    if (out !== null) await writeDocument(out, text);
    return done(
      [
        `key ${old.keyId} hands ${role} over to key ${successor.keyId}, from ${timeText(not_before_ms)}`,
        ...[places.keyring.path, ...(out === null ? [] : [out])].map((path) => `wrote ${path}`),
        `when nothing signed by the old key is in use any more: interlock keys revoke ${old.keyId} --reason rotated`,
      ],
      { role, from: old.keyId, to: successor.keyId, not_before: timeText(not_before_ms), keyring: places.keyring.path },
    );
  }, ExitCode.refused);
