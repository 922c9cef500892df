import { StoreFailed } from "../refused.ts";
import { codeOf } from "../state-directory.ts";

/** Another daemon's transaction was in the way: nothing was stored, and the same may be tried again. */
export class StoreConflict extends StoreFailed {}

/** A name of SQLSTATE: five characters. The server has answered, and the connection goes on. */
const sqlState = /^[0-9A-Z]{5}$/;
/** The server says that the connection ends: its own failures (08), and that it goes or comes (57P01 to 57P03). */
const connectionEnds = /^(08...|57P0[1-3])$/;
/** serialization_failure, deadlock_detected, and a lock that another one holds for too long. */
const conflicts: readonly string[] = ["40001", "40P01"];

const words: readonly (readonly [prefix: string, words: string])[] = [
  ["23", "the row contradicts the store"],
  ["28", "PostgreSQL refuses the user or the password"],
  ["3D000", "PostgreSQL does not have this database"],
  ["42501", "the user may not do this in PostgreSQL"],
  ["42P01", "a table is missing; run interlock store migrate"],
  ["53100", "PostgreSQL's disk is full"],
  ["53300", "PostgreSQL takes no more connections"],
  ["55P03", "PostgreSQL waited too long for a lock"],
  ["57014", "PostgreSQL took too long"],
  ["57P0", "PostgreSQL is shutting down or starting"],
  ["25006", "PostgreSQL is read-only"],
];

/** Did the server answer, so that its connection can be gone on with? */
export const serverAnswered = (error: unknown): boolean => {
  const code = codeOf(error);
  return sqlState.test(code) && !connectionEnds.test(code);
};

/** PostgreSQL's own message can quote SQL, values and addresses; the code is enough, and safe to show. */
export const describeFailure = (error: unknown): string => {
  const code = codeOf(error);
  if (sqlState.test(code)) {
    return `${words.find(([prefix]) => code.startsWith(prefix))?.[1] ?? "PostgreSQL failed"} (${code})`;
  }
  if (error instanceof Error && error.message.includes("does not support SSL")) {
    return "PostgreSQL does not encrypt; set it up to, or add ?sslmode=disable to the address";
  }
  return code === "error" ? "PostgreSQL cannot be reached" : `PostgreSQL cannot be reached (${code})`;
};

/** A failure of a query or of its connection. */
export const failureOf = (error: unknown): StoreFailed => {
  if (error instanceof StoreFailed) return error;
  const message = describeFailure(error);
  return conflicts.includes(codeOf(error)) ? new StoreConflict(message) : new StoreFailed(message);
};
