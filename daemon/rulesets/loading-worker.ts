import { parentPort, workerData } from "node:worker_threads";
import { trustFrom } from "../keys/trust-files.ts";
import { loadRuleSets } from "./load.ts";
import type { WorkerAnswer, WorkerRequest } from "./load-request.ts";
import { RuleSetRefused, thrownType } from "./refusal.ts";

/** A thread that verifies, runs modules and examples, says what it found, and can be ended when it does not. */
const answer = async ({ files, trust, served, now_ms }: WorkerRequest): Promise<WorkerAnswer> => {
  try {
    const rules = await loadRuleSets({
      files,
      trust: trustFrom(trust),
      served,
      now_ms,
      examples: "run",
    });
    const sets = rules.sets.map(({ id, version, digest, keyIds, rules: list }) => ({
      id,
      version,
      digest,
      keyIds,
      rules: list.length,
      examples: list.reduce((sum, { examples }) => sum + examples.length, 0),
    }));
    return { ok: true, checked: { digest: rules.digest, version: rules.version, sets } };
  } catch (error) {
    if (error instanceof RuleSetRefused)
      return { ok: false, code: error.code, message: error.message, details: error.details };
    return { ok: false, code: "load_crashed", message: `loading rules failed (${thrownType(error)})`, details: [] };
  }
};

const port = parentPort;
if (port === null) throw new Error("loading-worker runs as a worker thread");
port.postMessage(await answer(workerData as WorkerRequest));
