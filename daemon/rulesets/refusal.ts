/** Why rule sets were refused: the daemon does not start, or keeps what it serves. docs/errors.md lists them. */
export const ruleSetRefusals = Object.freeze({
  unreadable: "the file cannot be read, or is not a regular file",
  too_large: "the file is larger than 64 MiB",
  malformed: "it is not a signed rule set",
  unsigned: "it has no signature",
  wrong_key: "it is signed by a key that is not trusted",
  bad_signature: "its signature does not hold: the manifest was altered",
  key_revoked: "it is signed by a key that is revoked",
  key_out_of_days: "it is signed by a key whose days are over or have not begun",
  too_few_signatures: "fewer signers have signed it than rule sets need",
  altered: "its bundle is not the one that was signed",
  expired: "its not-after has passed",
  rolled_back: "a newer version was served, or the same version with other contents",
  empty: "there is no rule in it, or no rule set at all",
  duplicate: "an id of a rule or a rule set is loaded twice",
  module_threw: "its module threw while it ran",
  bad_module: "its default export is not what defineRules makes, or not what the manifest names",
  bad_contents: "a tool, a policy or a principal in it is refused",
  examples_failed: "an example of a rule, a tool or a policy does not hold",
  load_overran: "a module's top level or an example does not end",
  load_crashed: "the thread that loads it ended",
} satisfies Record<string, string>);

export type RuleSetRefusal = keyof typeof ruleSetRefusals;

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
