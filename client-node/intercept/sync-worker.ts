// The bridge's own thread: asks the daemon on a connection of its own, and wakes the thread that waits.
import { workerData } from "node:worker_threads";
import type { Decision as WireDecision } from "../../wire/decision.ts";
import { BlockedError } from "../blocked-error.ts";
import type { Decision } from "../decision.ts";
import { errorName } from "../error-name.ts";
import { RemoteEngine } from "../remote-engine.ts";
import { tokenOptions } from "./handed-token.ts";
import { refusalOf } from "./pending-questions.ts";
import {
  answeredWord,
  type BridgeAnswer,
  type BridgeBody,
  type BridgeQuestion,
  type BridgeStart,
  endedWord,
  hasEnded,
} from "./sync-messages.ts";

const { path, timeout, grace_ms, unreachable, fallback, principal, scope, token, port, state } =
  workerData as BridgeStart;

const engine = new RemoteEngine(path, {
  timeout,
  grace_ms,
  principal,
  unreachable,
  ...(fallback === null
    ? {}
    : { fallbackFile: fallback.file, fallbackKeyFile: fallback.keyFile, fallbackSpool: fallback.spool }),
  // Told where the program is, not here.
  onFallback: () => {},
  ...(scope === null ? {} : { scope }),
  ...tokenOptions(token),
});

const reply = (answer: BridgeAnswer): void => {
  port.postMessage(answer);
  Atomics.store(state, answeredWord, answer.number);
  Atomics.notify(state, answeredWord);
};

const put = (body: BridgeBody): Promise<Decision | null> => {
  switch (body.kind) {
    case "event":
      return engine.evaluate(body.event);
    case "resume":
      return engine.resume(body.approvalId, body.call);
    case "outcome":
      return engine.outcome(body.outcome);
    case "surface":
      return engine.surface(body.surface);
  }
};

const answer = async ({ number, body }: BridgeQuestion): Promise<BridgeAnswer> => {
  const { fallbacks } = engine;
  try {
    const answer = await put(body);
    const { replaces_args, ...decision } = answer ?? { replaces_args: false };
    const { replays } = engine;
    const told = answer === null ? null : (decision as WireDecision);
    return { number, refusal: null, decision: told, replaces_args, isFallback: engine.fallbacks > fallbacks, replays };
  } catch (error) {
    const refusal = error instanceof BlockedError ? error.decision.reason : `no verdict: ${errorName(error)}`;
    return refusalOf(number, refusal);
  }
};

port.on("message", (question: BridgeQuestion) => {
  answer(question).then(reply);
});

process.on("exit", () => {
  Atomics.compareExchange(state, endedWord, 0, hasEnded);
  Atomics.add(state, answeredWord, 1);
  Atomics.notify(state, answeredWord);
});
