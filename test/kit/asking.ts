import { BlockedError, type Decision, RemoteEngine, type RemoteEngineOptions } from "../../client-node/index.ts";
import type { Place } from "./place.ts";

/** What a caller was told. `code` is null where no daemon answered. */
export interface Asked {
  readonly verdict: string;
  readonly reason: string;
  readonly policy_id: string | null;
  readonly code: string | null;
  readonly modified_args: unknown;
  /** The call's id, by which its receipt is found. */
  readonly call_id: string;
}

/** Every call of a test file has an id of its own. */
let calls = 0;

const told = (call_id: string, { verdictName, reason, policy_id, details, modified_args }: Decision): Asked => ({
  call_id,
  verdict: verdictName,
  reason,
  policy_id,
  code: details?.code ?? null,
  modified_args,
});

/** Puts one call through the Node client; a client of its own where only the place is given. */
export const ask = async (
  to: Place | RemoteEngine,
  action: string,
  args: Readonly<Record<string, unknown>>,
  options: RemoteEngineOptions = {},
): Promise<Asked> => {
  const engine = to instanceof RemoteEngine ? to : new RemoteEngine(to.socket, { timeout: 10, ...options });
  const call_id = `call-${++calls}`;
  try {
    return told(call_id, await engine.evaluate({ action, args, call_id }));
  } catch (error) {
    if (!(error instanceof BlockedError)) throw error;
    return told(call_id, error.decision);
  } finally {
    if (engine !== to) await engine.close();
  }
};

/** A client that goes on asking, a few calls at a time, until it is told to stop; then says what it was told. */
export const askUntil = (
  { socket }: Place,
  action = "plain",
  { atOnce = 8, pause_ms = 1 }: { readonly atOnce?: number; readonly pause_ms?: number } = {},
): (() => Promise<readonly Asked[]>) => {
  const engine = new RemoteEngine(socket, { timeout: 20 });
  const all: Asked[] = [];
  let isStopped = false;
  const caller = async (): Promise<void> => {
    while (!isStopped) {
      all.push(await ask(engine, action, { n: all.length }));
      await new Promise((resolve) => setTimeout(resolve, pause_ms));
    }
  };
  const callers = Promise.all(Array.from({ length: atOnce }, caller));
  return async () => {
    isStopped = true;
    await callers;
    await engine.close();
    return all;
  };
};
