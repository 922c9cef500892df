import { fileURLToPath } from "node:url";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { EngineSettings } from "../engine-options.ts";
import { handedToken } from "./handed-token.ts";
import { answeredWord, type BridgeStart, couldNotStart, endedWord, hasEnded } from "./sync-messages.ts";

// Taken before anything is patched.
const Thread = Worker;
const Channel = MessageChannel;

/** The thread that asks, and what it is talked to by. */
export interface BridgeThread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly state: Int32Array;
}

const file = fileURLToPath(new URL("./sync-worker.cjs", import.meta.url));

/** Whoever sleeps until there is an answer hears no event: a file that is missing or broken is said by the same word. */
const program = `const { workerData: { file, state } } = require("node:worker_threads");
try {
  require(file);
} catch {
  Atomics.store(state, ${endedWord}, ${couldNotStart});
  Atomics.add(state, ${answeredWord}, 1);
  Atomics.notify(state, ${answeredWord});
}`;

/** Starts it; it does not keep the process alive. */
export const startBridgeThread = (path: string, settings: EngineSettings): BridgeThread => {
  const { port1, port2 } = new Channel();
  const state = new Int32Array(new SharedArrayBuffer(8));
  const { timeout, grace_ms, unreachable, fallback, principal, scope, token } = settings;
  const workerData: BridgeStart = {
    file,
    path,
    timeout,
    grace_ms,
    unreachable,
    fallback,
    principal,
    scope,
    token: handedToken(token),
    port: port2,
    state,
  };
  // Nothing of the program's reaches this thread: no preload, no environment, no loader.
  const worker = new Thread(program, {
    eval: true,
    workerData,
    transferList: [port2],
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    trackUnmanagedFds: false,
  });
  const died = (): void => {
    Atomics.compareExchange(state, endedWord, 0, hasEnded);
    Atomics.add(state, answeredWord, 1);
    Atomics.notify(state, answeredWord);
  };
  worker.on("error", died);
  worker.on("exit", died);
  worker.unref();
  port1.unref();
  return { worker, port: port1, state };
};

export const endBridgeThread = ({ worker, port }: BridgeThread): void => {
  port.close();
  void worker.terminate();
};
