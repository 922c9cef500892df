// The bridge's own thread: asks the daemon on a connection of its own, and wakes the thread that waits.
import { workerData } from "node:worker_threads";
import { BlockedError } from "../blocked-error.ts";
import { errorName } from "../error-name.ts";
import { RemoteEngine } from "../remote-engine.ts";
import {
  answeredWord,
  type BridgeAnswer,
  type BridgeQuestion,
  type BridgeStart,
  endedWord,
  hasEnded,
} from "./sync-messages.ts";

const { path, timeout, grace_ms, allowsAbsence, principal, token, port, state } = workerData as BridgeStart;

const engine = new RemoteEngine(path, {
  timeout,
  grace_ms,
  principal,
  unreachable: allowsAbsence ? "allow" : "deny",
  // Told where the program is, not here.
  onFallback: () => {},
  ...(token === null ? {} : { token }),
});

const reply = (answer: BridgeAnswer): void => {
  port.postMessage(answer);
  Atomics.store(state, answeredWord, answer.number);
  Atomics.notify(state, answeredWord);
};

const answer = async ({ number, event }: BridgeQuestion): Promise<BridgeAnswer> => {
  const { fallbacks } = engine;
  try {
    const { replaces_args, ...decision } = await engine.evaluate(event);
    return { number, refusal: null, decision, replaces_args, isFallback: engine.fallbacks > fallbacks };
  } catch (error) {
    const refusal = error instanceof BlockedError ? error.decision.reason : `no verdict: ${errorName(error)}`;
    return { number, refusal, decision: null, replaces_args: false, isFallback: false };
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
