/** A rule set, rule or answer that is not what the SDK accepts. The message is one line: what, where, what to do. */
export class RuleDefinitionError extends Error {
  override readonly name = "RuleDefinitionError";
  readonly code: "empty" | "invalid";
  constructor(message: string, code: "empty" | "invalid" = "invalid") {
    super(message);
    this.code = code;
  }
}
