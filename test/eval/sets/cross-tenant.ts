import { repeatedSet } from "../scenarios/repeated.ts";
import { type Agent, withAgent } from "../stage/agent.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

/** Agents of two tenants put the same calls; how many got the other one's result, or none. */
const notOwn = (stage: Stage): Promise<number> =>
  withAgent(
    stage,
    (north) =>
      withAgent(
        stage,
        async (south) => {
          const put = async (agent: Agent): Promise<number> => {
            let others = 0;
            for (const { tool, naive } of repeatedSet) if ((await agent.put(tool, naive)).kind !== "ran") others++;
            return others;
          };
          return (await put(north)) + (await put(south));
        },
        "south/agent",
      ),
    "north/agent",
  );

/** Equal arguments of two tenants are two calls. The control takes the calls of everybody for one. */
export const crossTenant: ExtraSet = {
  name: "cross_tenant",
  run: async () => ({
    counted: "answers that are another's",
    baseline: await onStage("shared-results", notOwn),
    ...(await onStage("every-gate", async (stage) => ({
      treatment: await notOwn(stage),
      ...(await falseBlocks(stage)),
    }))),
    wanted: 0,
    total: 2 * repeatedSet.length,
  }),
};
