import { blocked } from "../ask.ts";
import { isOwnCall } from "./own-call.ts";

/**
 * What is called while the guard asks is not the guard's, which uses none of what it guards: it is a hook of the program's. Refused,
 * because the question that is being asked would be asked again without end.
 *
 * @throws BlockedError
 */
export const refuseInside = (action: string): void => {
  if (isOwnCall()) throw blocked(action, "it was called inside of a question to the guard");
};
