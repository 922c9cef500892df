import type { Settings } from "../../config/settings.ts";
import type { OperatorSeat } from "../ask-operators.ts";
import { chosenOperator, readTokenFile } from "../token-files.ts";

/** Whom a command acts as: `--as`, else INTERLOCK_OPERATOR, else the only one whose token is here. Throws Refusal. */
export const seatOf = (
  { operator_socket, operatorTokens }: Pick<Settings, "operator_socket" | "operatorTokens">,
  as: string | undefined,
  env: NodeJS.ProcessEnv,
): OperatorSeat => {
  const name = chosenOperator(operatorTokens, as ?? (env.INTERLOCK_OPERATOR || null));
  return { socket: operator_socket, token: readTokenFile(operatorTokens, name) };
};
