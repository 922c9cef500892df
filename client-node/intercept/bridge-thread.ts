import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { EngineSettings } from "../engine-options.ts";
import { type BridgeStart, endedWord } from "./sync-messages.ts";

// Taken before anything is patched.
const Thread = Worker;
const Channel = MessageChannel;

/** The thread that asks, and what it is talked to by. */
export interface BridgeThread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly state: Int32Array;
}

/** Starts it; it does not keep the process alive. */
export const startBridgeThread = (path: string, settings: EngineSettings): BridgeThread => {
  const { port1, port2 } = new Channel();
  const state = new Int32Array(new SharedArrayBuffer(8));
  const { timeout, grace_ms, allowsAbsence, principal, token } = settings;
  const workerData: BridgeStart = { path, timeout, grace_ms, allowsAbsence, principal, token, port: port2, state };
  // Nothing of the program's reaches this thread: no preload, no environment, no loader.
  const worker = new Thread(new URL("./sync-worker.cjs", import.meta.url), {
    workerData,
    transferList: [port2],
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    trackUnmanagedFds: false,
  });
  const died = (): void => {
    Atomics.store(state, endedWord, 1);
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
