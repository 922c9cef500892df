import type { ClientUnderTest } from "../run-misbehaving.ts";
import type { TaskClient } from "./protocol.ts";

/** The blocked error of a client in another process. */
class Blocked extends Error {
  override readonly name = "Blocked";
}

/** A client that is driven by tasks, as a client under test, with its timeout and everything else at its default. */
export const taskClientUnderTest =
  (client: TaskClient) =>
  (socket: string, timeout_ms: number): ClientUnderTest => ({
    call: async (place) => {
      const event = { action: "ping", args: { place }, phase: "call" } as const;
      const answer = await client.do({ op: "call", client: socket, socket, timeout_ms, event });
      if ("blocked" in answer) throw new Blocked(answer.blocked);
      if (!("args" in answer)) throw new Error(`neither arguments nor a block: ${JSON.stringify(answer)}`);
      return answer.args;
    },
    isBlocked: (error) => error instanceof Blocked,
    close: async () => {
      await client.do({ op: "close", client: socket });
    },
  });
