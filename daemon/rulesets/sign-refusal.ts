/** Why nothing was signed, or what was named could not be tried. */
export type SigningRefusal =
  | "entry_unreadable"
  | "does_not_bundle"
  | "bad_data"
  | "forbidden_builtin"
  | "unresolved_package"
  | "not_after_passed"
  | "not_written";

/** One line: which file, what is wrong, what to do. */
export class SigningRefused extends Error {
  override readonly name = "SigningRefused";
  readonly code: SigningRefusal;
  constructor(code: SigningRefusal, message: string) {
    super(message);
    this.code = code;
  }
}
