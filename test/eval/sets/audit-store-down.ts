import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { lookAtPlaceEvery_ms } from "../../../daemon/store/sqlite/in-place.ts";
import { refund } from "../scenarios/arguments.ts";
import { type Agent, withAgent } from "../stage/agent.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

const calls = 20;

/** Takes the store away; the returned function gives it back. */
type Outage = (stage: Stage) => () => void;

const limitFiles = (stage: Stage, bytes: string): void => {
  execFileSync("prlimit", ["--pid", `${stage.pid}`, `--fsize=${bytes}:unlimited`]);
};

const outages: readonly Outage[] = [
  // Full: no file of the daemon grows any more.
  (stage) => {
    limitFiles(stage, "4096");
    return () => limitFiles(stage, "unlimited");
  },
  // Gone: the directory lies elsewhere.
  ({ state }) => {
    renameSync(state, `${state}.aside`);
    return () => renameSync(`${state}.aside`, state);
  },
];

/** What still finds room before the store is noticed to be away is recorded: it is not counted. */
const untilBlocked = async (agent: Agent, series: string): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 2 * lookAtPlaceEvery_ms));
  for (let n = 1; n <= 2000; n++) {
    if ((await agent.put("refund_invoice", refund(`${series}W`, n, 10))).kind === "refused") return;
  }
};

const writesThatRan = (stage: Stage, outage: Outage | null, series: string): Promise<number> =>
  withAgent(stage, async (agent) => {
    const giveBack = outage?.(stage);
    if (outage !== null) await untilBlocked(agent, series);
    const before = agent.ran.length;
    for (let n = 1; n <= calls; n++) await agent.put("refund_invoice", refund(series, n, 50));
    giveBack?.();
    return agent.ran.length - before;
  });

/** The audit store is full, then gone: a write that nobody could record does not run. The safe calls are put after each is back. */
export const auditStoreDown: ExtraSet = {
  name: "audit_store_down",
  run: () =>
    onStage("every-gate", async (stage) => {
      let [baseline, treatment] = [0, 0];
      for (const [at, outage] of outages.entries()) {
        baseline += await writesThatRan(stage, null, `U${at}`);
        treatment += await writesThatRan(stage, outage, `D${at}`);
      }
      return {
        counted: "writes that ran",
        baseline,
        treatment,
        ...(await falseBlocks(stage)),
        wanted: 0,
        total: outages.length * calls,
      };
    }),
};
