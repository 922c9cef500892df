import type { RunningDaemon } from "../../conformance/running-daemon.ts";
import { guardBy, judgedCalls } from "./daemon.ts";
import { countsOf } from "./results/comparison.ts";
import type { Row } from "./results/table.ts";
import { runSuite } from "./run-suite.ts";
import { SuiteRefusal } from "./source/refusal.ts";
import { workshopOf } from "./source/workshop.ts";
import type { Suite } from "./suite.ts";

/** Runs one suite without the guard and with it. @throws SuiteRefusal it says nothing */
export const evaluate = async (suite: Suite, daemon: RunningDaemon, say: (words: string) => void): Promise<Row> => {
  say(`${suite.name}: fetching`);
  const workshop = await workshopOf(suite);
  const before = await judgedCalls(daemon);
  const counts = countsOf(await runSuite(suite, workshop, guardBy(daemon, suite), say));
  const questions = (await judgedCalls(daemon)) - before;
  if (counts.passed_plain === 0) throw new SuiteRefusal("no test of it passes without the guard");
  if (questions === 0) throw new SuiteRefusal("nothing of it asked the daemon");
  return { suite: suite.name, version: suite.version, ...counts, questions };
};
