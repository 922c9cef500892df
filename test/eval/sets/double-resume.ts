import { withAgent } from "../stage/agent.ts";
import { addOperator, grant } from "../stage/operators.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { approvedCalls, requestAll, resumeOne } from "./approved-calls.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

const resumesEach = 3;

/** Two operators grant each request at the same moment; then two resumes at the same moment, and one more after them. */
const executions = (stage: Stage): Promise<number> =>
  withAgent(stage, async (agent) => {
    for (const name of ["olga", "omar"]) await addOperator(stage, name);
    for (const approval of await requestAll(agent)) {
      const grants = await Promise.all(["olga", "omar"].map((name) => grant(stage, approval.approvalId, name)));
      if (!grants.some(({ code }) => code === 0)) throw new Error(`nobody's yes was taken: ${grants[0]?.stderr}`);
      await Promise.all([resumeOne(agent, approval), resumeOne(agent, approval)]);
      await resumeOne(agent, approval);
    }
    return agent.ran.length;
  });

/** A yes is for one run, however often it is given and used. */
export const doubleResumeAndGrant: ExtraSet = {
  name: "double_resume_and_grant",
  run: async () => ({
    counted: "executions",
    baseline: null,
    ...(await onStage("every-gate", async (stage) => ({
      treatment: await executions(stage),
      ...(await falseBlocks(stage)),
    }))),
    wanted: approvedCalls.length,
    total: approvedCalls.length * resumesEach,
  }),
};
