/** Why a key file was refused. */
export type KeyRefusal =
  | "key_missing"
  | "key_unreadable"
  | "key_not_a_file"
  | "key_symlink"
  | "key_open_to_others"
  | "key_foreign_owner"
  | "key_malformed"
  | "key_exists"
  | "key_not_written";

/** One line: which file, what is wrong with it, what to do. Never a byte of the key. */
export class KeyRefused extends Error {
  override readonly name = "KeyRefused";
  readonly code: KeyRefusal;
  constructor(code: KeyRefusal, message: string) {
    super(message);
    this.code = code;
  }
}
