import { signedDocumentText } from "../../../wire/signed-document.ts";
import { timeText } from "../../../wire/utc-time.ts";
import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { changeKeyring, type KeyringPlaces } from "../change-keyring.ts";
import { KeyRefused } from "../key-error.ts";
import type { KeyringTrust } from "../keyring-trust.ts";
import type { PassphraseSource } from "../passphrase.ts";
import { readPrivateKey } from "../read-private-key.ts";
import { readTrustedKeys } from "../read-trusted-keys.ts";
import { isKeyId, isReason, maxReasonLength, type Revocation, revocationJson, revocationText } from "../revocation.ts";
import { signDocument } from "../sign-document.ts";
import { withDocument, writeDocument } from "./documents.ts";
import { afterReload } from "./takes-effect.ts";

export interface RevokeCommand {
  /** Its id, or the file of its public key. */
  readonly revoked: string;
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
    const { reason, key, out } = command;
    const key_id = isKeyId(command.revoked) ? command.revoked : await idIn(command.revoked);
    if (!isReason(reason)) {
      throw new Refusal(ExitCode.refused, `--reason is one line of 1 to ${maxReasonLength} ASCII characters`);
    }
    if (key === null && out !== null)
      throw new Refusal(ExitCode.refused, "--out needs --key: nobody else believes a word");
    const signer = key === null ? null : await readPrivateKey(key, command.passphrase);
    const { revocation, text } = await changeKeyring<Made>(places, (file, before) => {
      const made = revocationOf(key_id, command, before);
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
        afterReload,
      ],
      { key_id, at: timeText(at_ms), successors, keyring: places.keyring.path },
    );
  }, ExitCode.refused);

/** Of a file that holds one public key. */
const idIn = async (path: string): Promise<string> => {
  const [key, ...more] = await readTrustedKeys(path);
  if (key === undefined || more.length > 0) {
    throw new KeyRefused("key_malformed", `${path} holds ${more.length + 1} public keys; revoke one at a time`);
  }
  return key.keyId;
};

const revocationOf = (
  key_id: string,
  { reason, at_ms, successors }: RevokeCommand,
  trust: KeyringTrust,
): Revocation => {
  const knows = trust.lines.some(({ key }) => key.keyId === key_id);
  if (!knows) {
    throw new Refusal(ExitCode.refused, `key ${key_id} is not trusted here; interlock keys list has those that are`);
  }
  const handedTo = trust.lines.filter(({ from }) => from === key_id).map(({ key }) => key.keyId);
  return Object.freeze({ key_id, reason, at_ms, successors: Object.freeze([...new Set(successors ?? handedTo)]) });
};
