import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { lookAtPlaceEvery_ms } from "../../../daemon/store/sqlite/in-place.ts";
import { refund } from "../scenarios/arguments.ts";
import { type Agent, withAgent } from "../stage/agent.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

const calls = 20;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Takes the store away; the returned function gives it back. */
type Outage = (stage: Stage, agent: Agent) => Promise<() => void>;

const limitFiles = (stage: Stage, bytes: string): void => {
  execFileSync("prlimit", ["--pid", `${stage.pid}`, `--fsize=${bytes}:unlimited`]);
};

/** What still finds room before the daemon notices is recorded, so it may run; it is not counted. */
const untilNoticed = async (agent: Agent, series: string): Promise<void> => {
  await pause(2 * lookAtPlaceEvery_ms);
  for (let n = 1; n <= 2000; n++) {
    if ((await agent.put("refund_invoice", refund(series, n, 10))).kind === "refused") return;
  }
};

const outages: Readonly<Record<string, Outage>> = {
  // No file of the daemon grows any more.
  full: async (stage, agent) => {
    limitFiles(stage, "4096");
    await untilNoticed(agent, "WF");
    return () => limitFiles(stage, "unlimited");
  },
  // The directory lies elsewhere.
  gone: async ({ state }, agent) => {
    renameSync(state, `${state}.aside`);
    await untilNoticed(agent, "WG");
    return () => renameSync(`${state}.aside`, state);
  },
};

/** How many of the calls, put at one moment, ran while the store was away. The control has no outage. */
const ranDuring = (stage: Stage, outage: Outage | null, series: string): Promise<number> =>
  withAgent(stage, async (agent) => {
    const giveBack = await outage?.(stage, agent);
    const before = agent.ran.length;
    await Promise.all(Array.from({ length: calls }, (_, n) => agent.put("refund_invoice", refund(series, n + 1, 50))));
    giveBack?.();
    return agent.ran.length - before;
  });

/** The audit store is full, then gone: a write that nobody could record does not run. The safe calls are put after it is back. */
export const auditStoreDown: ExtraSet = {
  name: "audit_store_down",
  run: () =>
    onStage("every-gate", async (stage) => {
      let [baseline, treatment] = [0, 0];
      for (const [name, outage] of Object.entries(outages)) {
        const letter = name.charAt(0).toUpperCase();
        baseline += await ranDuring(stage, null, `U${letter}`);
        treatment += await ranDuring(stage, outage, `D${letter}`);
      }
      return {
        counted: "writes that ran",
        baseline,
        treatment,
        ...(await falseBlocks(stage)),
        wanted: 0,
        total: Object.keys(outages).length * calls,
      };
    }),
};
