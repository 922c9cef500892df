import { BlockedError, enforceToolCall, RemoteEngine } from "../../client-node/index.ts";
import type { ClientUnderTest } from "../run-misbehaving.ts";

/** The Node client as a client under test, with its timeout and everything else at its default. */
export const nodeClient = (socket: string, timeout_ms: number): ClientUnderTest => {
  const engine = new RemoteEngine(socket, { timeout: timeout_ms / 1000 });
  return {
    call: (place) => enforceToolCall("ping", { place }, { engine }),
    isBlocked: (error) => error instanceof BlockedError,
    close: () => engine.close(),
  };
};
