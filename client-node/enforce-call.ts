import type { EnforceOptions } from "./guard-options.ts";
import { permitCall } from "./permit.ts";

/**
 * Puts a call to the guard before it runs. Resolves to the arguments to run it with: a shallow copy, rewritten where a rule
 * said so.
 *
 * @throws BlockedError the call must not run
 * @throws NotApprovedError it needs a human's yes and did not get one
 * @throws ReplayedError it ran before; the error has the recorded result
 */
export const enforceToolCall = async (
  action: string,
  args: Readonly<Record<string, unknown>> | null | undefined,
  options: EnforceOptions,
): Promise<Record<string, unknown>> => (await permitCall(action, args, options)).args;
