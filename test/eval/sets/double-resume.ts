import { withAgent } from "../stage/agent.ts";
import { addOperator, grant } from "../stage/operators.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { approvedCalls, requestAll, resumeOne } from "./approved-calls.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

const resumesEach = 3;
const total = approvedCalls.length * resumesEach;

interface Resumed {
  readonly executions: number;
  /** Resumes that were not answered with what the tool answered. */
  readonly unanswered: number;
}

/** Two operators grant each request at the same moment; then two resumes at the same moment, and one more after them. */
const resumeAgain = (stage: Stage): Promise<Resumed> =>
  withAgent(stage, async (agent) => {
    for (const name of ["olga", "omar"]) await addOperator(stage, name);
    let unanswered = 0;
    for (const approval of await requestAll(agent)) {
      const grants = await Promise.all(["olga", "omar"].map((name) => grant(stage, approval.approvalId, name)));
      if (!grants.some(({ code }) => code === 0)) throw new Error(`nobody's yes was taken: ${grants[0]?.stderr}`);
      const outcomes = await Promise.all([resumeOne(agent, approval), resumeOne(agent, approval)]);
      outcomes.push(await resumeOne(agent, approval));
      const made = agent.ran.at(-1)?.result;
      unanswered += outcomes.filter(
        (outcome) => outcome.kind === "refused" || (outcome.result as typeof made)?.receipt !== made?.receipt,
      ).length;
    }
    return { executions: agent.ran.length, unanswered };
  });

/** A yes is for one run, however often it is given and used. Who resumes again gets the result of the one that ran; without it, a false block. */
export const doubleResumeAndGrant: ExtraSet = {
  name: "double_resume_and_grant",
  run: async () => ({
    counted: "executions",
    baseline: null,
    ...(await onStage("every-gate", async (stage) => {
      const { executions, unanswered } = await resumeAgain(stage);
      const { false_blocks, safe } = await falseBlocks(stage);
      return { treatment: executions, false_blocks: false_blocks + unanswered, safe: safe + total };
    })),
    wanted: approvedCalls.length,
    total,
  }),
};
