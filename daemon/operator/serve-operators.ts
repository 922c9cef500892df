import { type Listener, listen } from "../socket/listener.ts";
import { OperatorDesk } from "./desk.ts";
import { closingOperatorConnections, maxOperatorConnections } from "./limits.ts";
import type { OperatorPlane } from "./operator-ledger.ts";
import { OperatorRegister } from "./register.ts";

/** Serves operators at `socket`: apart from the agents, whose socket has none of these requests. Throws Refusal. */
export const serveOperators = (
  { operator_socket, state }: { readonly operator_socket: string; readonly state: string },
  plane: OperatorPlane,
): Promise<Listener> =>
  listen(operator_socket, new OperatorDesk(plane, new OperatorRegister(state)), {
    maxConnections: maxOperatorConnections + closingOperatorConnections,
    remedy: "set operator_socket in the configuration",
  });
