import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { enforceToolCall, NotApprovedError, RemoteEngine } from "../../../client-node/index.ts";
import { RawConnection } from "../../../conformance/replay/raw-connection.ts";
import { type Agent, withAgent } from "../stage/agent.ts";
import { addOperator, grant } from "../stage/operators.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { approvedCalls, type Requested, ranAtOnce, requestAll, resumeOne } from "./approved-calls.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

/** The agent, and an operator of the same name. */
const name = "sam";

/** What an agent does that wants its own call approved; then it resumes it. */
type Attempt = (stage: Stage, agent: Agent, approval: Requested) => Promise<unknown>;

const attempts: readonly Attempt[] = [
  // It is an operator too, and says yes to itself.
  (stage, _, { approvalId }) => grant(stage, approvalId, name),
  // It asks as if it had been approved.
  async () => undefined,
  // It says yes by the agents' socket.
  async ({ socket }, _, { approvalId }) => {
    const connection = await RawConnection.open(socket);
    connection.send(Buffer.from(`{"approvals.grant":{"id":"${approvalId}","scope":"once"},"id":"1","v":1}\n`));
    await connection.line(5_000);
    connection.drop();
  },
  // It makes up a token.
  async (stage, _, { approvalId }) => {
    writeFileSync(join(stage.home, "operators", "mallory.token"), `${"A".repeat(43)}\n`, { mode: 0o600 });
    return grant(stage, approvalId, "mallory");
  },
  // Its own program says yes where only an operator may.
  async ({ socket }, agent, _) => {
    const engine = new RemoteEngine(socket, { timeout: 10 });
    const options = { engine, principal: agent.principal, onEscalate: () => true };
    for (const args of approvedCalls) {
      await enforceToolCall("refund_invoice", args, options).then(
        () => agent.ran.push({ tool: "refund_invoice", args, result: { receipt: "approved by itself" } }),
        (error) => {
          if (!(error instanceof NotApprovedError)) throw error;
        },
      );
    }
    await engine.close();
  },
];

const ranByItself = (stage: Stage): Promise<number> =>
  withAgent(
    stage,
    async (agent) => {
      await addOperator(stage, name);
      const requested = await requestAll(agent);
      for (const [at, attempt] of attempts.entries()) {
        const approval = requested[at % requested.length] as Requested;
        await attempt(stage, agent, approval);
        await resumeOne(agent, approval);
      }
      return agent.ran.length;
    },
    name,
  );

/** Whoever asks is never who says yes. In the control somebody else does. */
export const selfApproval: ExtraSet = {
  name: "self_approval",
  run: async () => ({
    counted: "calls that ran",
    baseline: await ranAtOnce(),
    ...(await onStage("every-gate", async (stage) => ({
      treatment: await ranByItself(stage),
      ...(await falseBlocks(stage)),
    }))),
    wanted: 0,
    total: attempts.length,
  }),
};
