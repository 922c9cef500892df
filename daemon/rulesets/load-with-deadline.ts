import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { CheckedRules, WorkerAnswer, WorkerRequest } from "./load-request.ts";
import { RuleSetRefused } from "./refusal.ts";

/** How long modules may take to run and examples to hold, all sets together. */
const defaultLoadDeadline_ms = 10_000;

export interface CheckRequest extends WorkerRequest {
  readonly deadline_ms?: number;
  /** The built worker; beside this module where that was built too. */
  readonly worker?: URL;
}

/**
 * Does everything that loading does, in a thread that is ended when it overruns: a module whose top level loops, or an
 * example that hangs in a regular expression, costs a refusal (`load_overran`) and not the daemon. The caller then
 * loads the same bytes with `examples: "held_before"` and compares the digest. Throws `RuleSetRefused`.
 */
export const checkRuleSetsWithDeadline = async (request: CheckRequest): Promise<CheckedRules> => {
  const { files, trust, served, now_ms, deadline_ms = defaultLoadDeadline_ms, worker = builtWorker } = request;
  if (!existsSync(worker))
    throw new RuleSetRefused("load_crashed", "the loading worker is not built; run `npm run build`");
  const workerData: WorkerRequest = { files, trust, served, now_ms };
  const thread = new Worker(worker, { workerData, stdout: true, stderr: true });
  try {
    const answer = await firstAnswer(thread, deadline_ms);
    if (!answer.ok) throw new RuleSetRefused(answer.code, answer.message, answer.details);
    return answer.checked;
  } finally {
    await thread.terminate();
  }
};

const builtWorker = new URL("./loading-worker.js", import.meta.url);

const firstAnswer = (thread: Worker, deadline_ms: number): Promise<WorkerAnswer> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new RuleSetRefused(
            "load_overran",
            `loading rules took longer than ${deadline_ms} ms: a module's top level or an example does not end`,
          ),
        ),
      deadline_ms,
    );
    const settle = <Value>(then: (value: Value) => void, value: Value): void => {
      clearTimeout(timer);
      then(value);
    };
    thread.once("message", (answer: WorkerAnswer) => settle(resolve, answer));
    thread.once("error", () =>
      settle(reject, new RuleSetRefused("load_crashed", "the thread that loads rules failed")),
    );
    thread.once("exit", () =>
      settle(reject, new RuleSetRefused("load_crashed", "the thread that loads rules ended early")),
    );
  });
