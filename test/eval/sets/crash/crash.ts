import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BlockedError, RemoteEngine } from "../../../../client-node/index.ts";
import { packageRoot } from "../../../../conformance/running-daemon.ts";
import { leaseWhereClientsDie_s } from "../../rules/times.ts";
import { onStage, type Stage } from "../../stage/stage.ts";
import { falseBlocks } from "../false-blocks.ts";
import type { ExtraSet } from "../set.ts";
import { type CrashCall, runCall, type Step } from "./run-call.ts";
import { mustRun, mustRunCount, type Schedule, scheduleCount, schedulesOn } from "./schedules.ts";

const client = fileURLToPath(new URL("client.ts", import.meta.url));

/** Runs a call to its end, whatever it is told. */
const attempt = async (engine: RemoteEngine, call: CrashCall, at?: (step: Step) => Promise<void>): Promise<void> => {
  try {
    await runCall(engine, call, at);
  } catch (error) {
    if (!(error instanceof BlockedError)) throw error;
  }
};

const withDyingDaemon = async (stage: Stage, engine: RemoteEngine, { step, call }: Schedule): Promise<void> =>
  attempt(engine, call, async (now) => {
    if (now !== step) return;
    await stage.kill();
    await stage.start();
  });

const withDyingClient = async ({ socket }: Stage, { step, call }: Schedule): Promise<void> => {
  const child = spawn(process.execPath, ["--import", "tsx", client, JSON.stringify({ socket, step, call })], {
    cwd: packageRoot(),
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code, signal] = await once(child, "exit");
  if (signal !== "SIGKILL") throw new Error(`a client that was to die at '${step}' ended with ${code}`);
};

/** What an agent does that knows nothing of a call's fate: the same call, and where it was approved, its resume. */
const repeat = async (engine: RemoteEngine, { call }: Schedule): Promise<void> => {
  if (call.approvalId !== null) await attempt(engine, call);
  await attempt(engine, { ...call, approvalId: null, callId: randomUUID() });
};

const effectsOf = ({ call }: Schedule): readonly string[] =>
  existsSync(call.effects) ? readFileSync(call.effects, "utf8").trim().split("\n") : [];

interface Receipt {
  readonly call_id?: string | null;
  readonly phase?: string;
  readonly verdict?: string;
}

/** The ids of the calls that the ledger says may run. */
const permittedCalls = async (stage: Stage): Promise<ReadonlySet<string>> => {
  await stage.mustInterlock("receipts", "verify");
  const lines = (await stage.mustInterlock("receipts", "tail", "-n", "100000", "--json")).trim().split("\n");
  const receipts = lines.map((line) => {
    const { receipt } = JSON.parse(line) as { readonly receipt: string | Receipt };
    return typeof receipt === "string" ? (JSON.parse(receipt) as Receipt) : receipt;
  });
  const permits = receipts.filter(({ phase, verdict }) => phase === "call" && /^(ALLOW|MODIFY)$/.test(verdict ?? ""));
  return new Set(permits.map(({ call_id }) => call_id ?? ""));
};

interface Crashes {
  /** Schedules with a second effect, or with one that the ledger does not know. */
  readonly wrong: number;
  /** Calls whose client lived, or that were never asked before, and that had no effect all the same. */
  readonly lost: number;
}

const runSchedules = async (stage: Stage): Promise<Crashes> => {
  const schedules = await schedulesOn(stage);
  const engine = new RemoteEngine(stage.socket, { timeout: 30, grace_ms: 10_000 });
  for (const schedule of schedules.filter(({ killed }) => killed === "daemon")) {
    await withDyingDaemon(stage, engine, schedule);
    await repeat(engine, schedule);
  }
  const clients = schedules.filter(({ killed }) => killed === "client");
  await Promise.all(
    clients.map(async (schedule) => {
      await withDyingClient(stage, schedule);
      await repeat(engine, schedule);
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, leaseWhereClientsDie_s * 1000 + 200));
  await Promise.all(schedules.map((schedule) => repeat(engine, schedule)));
  await engine.close();
  const permitted = await permittedCalls(stage);
  const isWrong = (effects: readonly string[]): boolean =>
    effects.length > 1 || !effects.every((callId) => permitted.has(callId));
  return {
    wrong: schedules.map(effectsOf).filter(isWrong).length,
    lost: schedules.filter(mustRun).filter((schedule) => effectsOf(schedule).length === 0).length,
  };
};

/**
 * SIGKILL to the daemon or to the client at each step of a call and of a resume; then the same call again, at once and after its
 * lease. A call that nobody's death keeps from running, and that does not run, is a false block.
 */
export const crashAtEachStep: ExtraSet = {
  name: "crash_at_each_step",
  run: () =>
    onStage("short-leases", async (stage) => {
      const { wrong, lost } = await runSchedules(stage);
      const { false_blocks, safe } = await falseBlocks(stage);
      return {
        counted: "schedules that went wrong",
        baseline: null,
        treatment: wrong,
        wanted: 0,
        total: scheduleCount,
        false_blocks: false_blocks + lost,
        safe: safe + mustRunCount,
      };
    }),
};
