import { signedDocumentText } from "../../../wire/signed-document.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { type CommandResult, done, orRefusal } from "../../rulesets/commands/command-result.ts";
import { changeKeyring, type KeyringPlaces } from "../change-keyring.ts";
import type { KeyringTrust } from "../keyring-trust.ts";
import type { PassphraseSource } from "../passphrase.ts";
import { readPrivateKey } from "../read-private-key.ts";
import { isKeyId, isReason, maxReasonLength, type Revocation, revocationJson, revocationText } from "../revocation.ts";
import { signDocument } from "../sign-document.ts";
import { timeText } from "../utc-time.ts";
import { withDocument, writeDocument } from "./documents.ts";

export interface RevokeCommand {
  readonly key_id: string;
  readonly reason: string;
  readonly at_ms: number;
  /** Keys that it did hand over to; null: those that the keyring knows of. */
  readonly successors: readonly string[] | null;
  /** The private key that signs it, for others who believe that key; null: by the keyring owner's word. */
  readonly key: string | null;
  readonly passphrase: PassphraseSource;
  /** Where the signed document is written too. */
  readonly out: string | null;
}

interface Made {
  readonly revocation: Revocation;
  /** The signed document; null by the owner's word. */
  readonly text: string | null;
}

/** `interlock keys revoke KEY_ID --reason TEXT`: what it signed is refused from the next start or reload on. */
export const revoke = (places: KeyringPlaces, command: RevokeCommand): Promise<CommandResult> =>
  orRefusal(async () => {
    const { key_id, reason, key, out } = command;
    if (!isKeyId(key_id))
      throw new Refusal(ExitCode.refused, "a key's id is 16 hex digits; interlock keys list has them");
    if (!isReason(reason)) {
      throw new Refusal(ExitCode.refused, `--reason is one line of 1 to ${maxReasonLength} ASCII characters`);
    }
    if (key === null && out !== null)
      throw new Refusal(ExitCode.refused, "--out needs --key: nobody else believes a word");
    const signer = key === null ? null : await readPrivateKey(key, command.passphrase);
    const { revocation, text } = await changeKeyring<Made>(places, (file, before) => {
      const made = revocationOf(command, before);
      if (signer === null) {
        return [
          { ...file, revoked: [...(file.revoked ?? []), revocationJson(made)] },
          { revocation: made, text: null },
        ];
      }
      const signed = signedDocumentText(signDocument("revocation", revocationText(made), signer));
      return [withDocument(file, "revocations", signed), { revocation: made, text: signed }];
    });
    if (text !== null && out !== null) await writeDocument(out, text);
    const { at_ms, successors } = revocation;
    return done(
      [
        `key ${key_id} is revoked from ${timeText(at_ms)}`,
        ...successors.map((successor) => `its successor ${successor} stays trusted`),
        ...[places.keyring.path, ...(out === null ? [] : [out])].map((path) => `wrote ${path}`),
        "a running daemon goes on until it reloads: interlock rules reload",
      ],
      { key_id, at: timeText(at_ms), successors, keyring: places.keyring.path },
    );
  }, ExitCode.refused);

const revocationOf = ({ key_id, reason, at_ms, successors }: RevokeCommand, trust: KeyringTrust): Revocation => {
  const knows = trust.lines.some(({ key }) => key.keyId === key_id);
  if (!knows) {
    throw new Refusal(ExitCode.refused, `key ${key_id} is not trusted here; interlock keys list has those that are`);
  }
  const handedTo = trust.lines.filter(({ from }) => from === key_id).map(({ key }) => key.keyId);
  return Object.freeze({ key_id, reason, at_ms, successors: Object.freeze([...new Set(successors ?? handedTo)]) });
};
