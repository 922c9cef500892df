import type { Ended } from "./process.ts";
import type { Stage } from "./stage.ts";

/** Makes an operator with a token of their own. */
export const addOperator = async (stage: Stage, name: string): Promise<void> => {
  await stage.mustInterlock("operators", "add", name);
};

/** One operator's yes, as they give it: by the command. */
export const grant = (
  stage: Stage,
  approvalId: string,
  operator: string,
  ...terms: readonly string[]
): Promise<Ended> => stage.interlock("approvals", "grant", approvalId, "--as", operator, ...terms);

/** Every one of them must be granted. */
export const grantAll = async (
  stage: Stage,
  approvalIds: readonly string[],
  operator: string,
  ...terms: readonly string[]
): Promise<void> => {
  for (const { code, stderr } of await Promise.all(approvalIds.map((id) => grant(stage, id, operator, ...terms)))) {
    if (code !== 0) throw new Error(`approvals grant ended with ${code}: ${stderr.trim()}`);
  }
};
