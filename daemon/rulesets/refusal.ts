/** Why rule sets were refused. The daemon does not start, or keeps what it serves. */
export type RuleSetRefusal =
  | "unreadable"
  | "too_large"
  | "malformed"
  | "unsigned"
  | "wrong_key"
  | "bad_signature"
  | "altered"
  | "expired"
  | "rolled_back"
  | "empty"
  | "duplicate"
  | "module_threw"
  | "bad_module"
  | "examples_failed"
  | "load_overran"
  | "load_crashed";

/** One line: which file or set, what is wrong, what to do. Never a value, never a stack. */
export class RuleSetRefused extends Error {
  override readonly name = "RuleSetRefused";
  readonly code: RuleSetRefusal;
  /** With `examples_failed`: one line each. */
  readonly details: readonly string[];
  constructor(code: RuleSetRefusal, message: string, details: readonly string[] = []) {
    super(message);
    this.code = code;
    this.details = Object.freeze([...details]);
  }
}

/** The type of what was thrown: its message may quote what it must not. */
export const thrownType = (error: unknown): string =>
  error instanceof Error ? (error.constructor.name || "Error").slice(0, 64) : typeof error;
