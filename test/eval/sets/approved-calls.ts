import type { Arguments } from "../scenarios/scenario.ts";
import { standardSet } from "../scenarios/standard.ts";
import { type Agent, type Outcome, withAgent } from "../stage/agent.ts";
import { addOperator, grantAll } from "../stage/operators.ts";
import { onStage, type Stage } from "../stage/stage.ts";

const tool = "refund_invoice";

/** Five refunds that a person has to say yes to, each over 600. */
export const approvedCalls: readonly Arguments[] = standardSet
  .filter(({ kind }) => kind === "approval")
  .slice(0, 5)
  .map(({ naive }) => naive);

export type Requested = Awaited<ReturnType<Agent["request"]>>;

export const requestAll = async (agent: Agent): Promise<readonly Requested[]> => {
  const requested: Requested[] = [];
  for (const args of approvedCalls) requested.push(await agent.request(tool, args));
  return requested;
};

export const resumeOne = (agent: Agent, approval: Requested): Promise<Outcome> => agent.resume(tool, approval);

let atOnce: Promise<number> | undefined;

/** The control of what stands between a yes and its use: nothing does. How many of the five ran; put once for all sets. */
export const ranAtOnce = (): Promise<number> => {
  atOnce ??= onStage("every-gate", (stage) => withAgent(stage, (agent) => ranAfter(stage, agent)));
  return atOnce;
};

/** Requests all five, has an operator grant them, lets something happen, resumes them; how many ran. */
export const ranAfter = async (
  stage: Stage,
  agent: Agent,
  happens: () => Promise<void> = async () => undefined,
  ...terms: readonly string[]
): Promise<number> => {
  await addOperator(stage, "olga");
  const requested = await requestAll(agent);
  const ids = requested.map(({ approvalId }) => approvalId);
  await grantAll(stage, ids, "olga", ...terms);
  await happens();
  for (const approval of requested) await resumeOne(agent, approval);
  return agent.ran.length;
};
