/** Why a policy is not signed or published. docs/errors.md lists them. */
export const policyRefusals = Object.freeze({
  policy_unreadable: "the file cannot be read, or is too large",
  policy_malformed: "it is not a fallback policy: the line and the key are named",
  policy_version: "its contents differ from what was published, and its version is not higher",
  policy_expired: "its `not_after` has passed",
  policy_key: "its key is missing, or not believed in the role `fallback`",
} satisfies Record<string, string>);

export type PolicyRefusal = keyof typeof policyRefusals;

/** One line: which file, where in it, what to do. */
export class PolicyRefused extends Error {
  override readonly name = "PolicyRefused";
  readonly code: PolicyRefusal;

  constructor(code: PolicyRefusal, message: string) {
    super(message);
    this.code = code;
  }
}

export const needsVersion = (shown: string, version: number): PolicyRefused =>
  new PolicyRefused(
    "policy_version",
    `${shown}: version ${version} was published with other contents; raise the version above ${version}`,
  );
