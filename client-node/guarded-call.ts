import { blocked } from "./ask.ts";
import { BlockedError, ReplayedError } from "./blocked-error.ts";
import { errorName } from "./error-name.ts";
import type { EnforceOptions } from "./guard-options.ts";
import { abandon, fail, type Permit, permitCall } from "./permit.ts";

/** How one kind of call is made. */
export interface CallSteps<Prepared> {
  /** Permits the call in place of asking about it: it was asked about before, and waits for an approval. */
  readonly permit?: () => Promise<Permit>;
  /** What the tool is given. @throws TypeError no arguments can be made of what was judged; its message names no value */
  readonly prepare: (judged: Record<string, unknown>) => Prepared;
  readonly run: (prepared: Prepared) => unknown;
  /** Does what was thrown leave open whether the effect came about? */
  readonly isCutShort: (error: unknown) => boolean;
  /** Did the tool answer that it failed? */
  readonly hasFailed?: (result: unknown) => boolean;
  /** Puts the result to the guard. `onFailure` is told the error of a result that is a stream and failed on its way. */
  readonly deliver: (result: unknown, onFailure: (error: unknown) => Promise<unknown>) => Promise<unknown>;
  /** The recorded result in the form that is delivered. */
  readonly replayed: (result: unknown, transactionId: string) => unknown;
}

/**
 * One call from its question to its delivered result. What the daemon holds open for it is closed by the result, or by what became
 * of it instead; a failure to tell is counted, and hides no error of the tool's.
 */
export const guardedCall = async <Prepared>(
  action: string,
  args: Readonly<Record<string, unknown>> | null | undefined,
  options: EnforceOptions,
  steps: CallSteps<Prepared>,
): Promise<unknown> => {
  let permit: Permit;
  try {
    permit = await (steps.permit?.() ?? permitCall(action, args, options));
  } catch (error) {
    if (!(error instanceof ReplayedError)) throw error;
    announce(action, error, options);
    return steps.replayed(error.result, error.transactionId);
  }
  const prepared = await preparedOr(action, permit, options, steps);
  let result: unknown;
  const failed = async (error: unknown): Promise<unknown> => !steps.isCutShort(error) && fail(permit, error, options);
  try {
    result = await steps.run(prepared);
  } catch (error) {
    await failed(error);
    throw error;
  }
  if (steps.hasFailed?.(result) === true) await fail(permit, new ToolError(), options);
  return steps.deliver(result, failed);
};

/** What a tool's own answer that it failed is reported as. */
class ToolError extends Error {
  override readonly name = "ToolError";
}

const preparedOr = async <Prepared>(
  action: string,
  permit: Permit,
  options: EnforceOptions,
  steps: CallSteps<Prepared>,
): Promise<Prepared> => {
  try {
    return steps.prepare(permit.args);
  } catch (error) {
    await abandon(permit, options);
    throw blocked(action, (error as TypeError).message);
  }
};

/** A replay that nobody hears of would be taken for a call that ran. */
const announce = (action: string, error: ReplayedError, { onReplay }: EnforceOptions): void => {
  try {
    onReplay?.(Object.freeze({ action, transactionId: error.transactionId }));
  } catch (thrown) {
    throw new BlockedError(error.decision, action, `\`onReplay\` threw ${errorName(thrown)}`);
  }
};
