import { ExitCode, Refusal } from "../exit-codes.ts";
import { acquireLock } from "../store/sqlite/lock.ts";
import { openStateDirectory } from "../store/state-directory.ts";
import { maxOperators } from "./limits.ts";
import { type OperatorRecord, operatorsFileIn, readOperators, writeOperators } from "./operators-file.ts";
import { newToken, tokenDigest } from "./token.ts";

/** One at a time: two that read the same list would each write one without the other's change. */
const changing = <T>(
  state: string,
  change: (operators: readonly OperatorRecord[]) => readonly [OperatorRecord[], T],
): T => {
  const { path: directory } = openStateDirectory(state);
  const path = operatorsFileIn(directory);
  const lock = acquireLock(`${path}.lock`);
  if (lock === null) throw new Refusal(ExitCode.refused, `somebody else is changing ${path}; try again`);
  try {
    const [operators, answer] = change(readOperators(path, null).operators);
    writeOperators(path, operators);
    return answer;
  } finally {
    lock.release();
  }
};

/** Adds an operator and returns its token, which is kept nowhere. Throws Refusal where the name is taken. */
export const addOperator = (state: string, name: string, roles: readonly string[], now_ms: number): string =>
  changing(state, (operators) => {
    if (operators.some((operator) => operator.name === name)) {
      throw new Refusal(
        ExitCode.refused,
        `there is an operator ${name} already; remove it first, or choose another name`,
      );
    }
    if (operators.length >= maxOperators)
      throw new Refusal(ExitCode.refused, `there are ${maxOperators} operators already`);
    const token = newToken();
    const added = { name, roles: [...new Set(roles)], token_sha256: tokenDigest(token), added_ms: now_ms };
    return [[...operators, added], token];
  });

/** From the next request on its token is nobody's. False where there was none of that name. */
export const removeOperator = (state: string, name: string): boolean =>
  changing(state, (operators) => {
    const left = operators.filter((operator) => operator.name !== name);
    return [left, left.length < operators.length];
  });
