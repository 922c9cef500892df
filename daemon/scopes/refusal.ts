/** What is wrong with a scope document. docs/errors.md lists them. */
export const scopeProblems = Object.freeze({
  unreadable: "the file cannot be read, or is not a regular file",
  too_large: "it is larger than 1 MiB, or holds more than 10,000 scopes, 256 templates or 64 bindings in one scope",
  malformed: "it is not YAML or JSON of the form of a scope document",
  unknown_key: "it holds a key that a scope document does not have",
  scope_malformed: "a scope's path has an empty segment, one of dots, or characters that show nothing",
  scope_too_deep: "a scope's path has more than 16 segments",
  scope_duplicate: "two scopes' paths differ in case, width or invisible characters alone",
  template_refused: "a template's policy is none",
  template_unknown: "a binding names a template that the document does not have",
  parameter_unknown: "a policy or a binding names a parameter that the template does not have",
  parameter_unused: "no place in the template's policy reads the parameter",
  parameter_misplaced: "a parameter stands where none can, or is of another type than is read there",
  parameter_missing: "a binding leaves open a parameter that no scope above it gives",
  parameter_refused: "a parameter's value is of another type, or makes the policy none",
  widens_wrong: "the template says that another direction grants more than its policy does",
  binding_duplicate: "a scope binds one template twice",
  tombstone_idle: "a binding removes a template that no scope above it binds",
  delegator_unknown: "a binding is delegated from a scope that the document does not have",
  delegation_cycle: "a scope's grant comes from itself",
  delegation_too_deep: "a grant comes through more than 16 delegations",
  delegation_over_grant: "a scope grants more than the scope that it is delegated from",
  expired: "its not_after has passed",
  rolled_back: "a newer version was served, or the same version with other contents",
  not_written: "the signed document cannot be written",
} satisfies Record<string, string>);

export type ScopeProblemCode = keyof typeof scopeProblems;

/** One thing that is wrong, and where: a path of keys into the document. */
export interface ScopeProblem {
  readonly code: ScopeProblemCode;
  readonly path: readonly (string | number)[];
  /** One line. */
  readonly what: string;
}

/** A scope document that is not taken: the daemon does not start, or keeps what it serves. One line. */
export class ScopesRefused extends Error {
  override readonly name = "ScopesRefused";
  readonly code: ScopeProblemCode;
  /** One line each, where there is more than one problem. */
  readonly details: readonly string[];

  constructor(code: ScopeProblemCode, message: string, details: readonly string[] = []) {
    super(message);
    this.code = code;
    this.details = Object.freeze([...details]);
  }
}
