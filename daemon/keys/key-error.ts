/** Why a key file was refused. docs/errors.md lists them. */
export const keyRefusals = Object.freeze({
  key_missing: "the file does not exist",
  key_unreadable: "the file cannot be read",
  key_not_a_file: "it is not a regular file",
  key_symlink: "it is a symbolic link",
  key_open_to_others: "others can read the private key, or write the trusted ones",
  key_foreign_owner: "it belongs to another user",
  key_malformed: "it does not hold Ed25519 keys in PEM, or is too large",
  key_exists: "a key is never written over a file that exists",
  key_not_written: "the file cannot be written",
  passphrase_refused: "there is no passphrase, it is too short, or its file does not hold one line",
  passphrase_wrong: "the sealed key does not open with this passphrase, or was altered",
  keyring_malformed: "the keyring is not one, or names a key, role or time that is none",
  handover_refused: "a hand-over in the keyring is not signed by the key that it is from, or leads astray",
  revocation_refused: "a revocation in the keyring is not signed by a key that may revoke",
} satisfies Record<string, string>);

export type KeyRefusal = keyof typeof keyRefusals;

/** One line: which file, what is wrong with it, what to do. Never a byte of the key. */
export class KeyRefused extends Error {
  override readonly name = "KeyRefused";
  readonly code: KeyRefusal;
  constructor(code: KeyRefusal, message: string) {
    super(message);
    this.code = code;
  }
}
