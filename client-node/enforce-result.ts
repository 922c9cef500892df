import { isCutShort } from "./cut-short.ts";
import { checkedOptions, type EnforceOptions } from "./guard-options.ts";
import { judgedResult } from "./judge-result.ts";
import { reportOutcome } from "./outcome.ts";
import { isPlainObject } from "./plain-object.ts";
import { recordedForm } from "./replay.ts";
import { deliveredStream } from "./streams/deliver.ts";
import { isStream } from "./streams/open.ts";

/**
 * Puts a result to the guard before it is delivered. A plain object is judged as it is, anything else as `{result: value}`
 * (nothing at all as `{result: null}`). Resolves to the original, or to what a rule replaced it with. The
 * effects of the call stand either way.
 *
 * A stream (an async iterable, a `ReadableStream`, a Node `Readable`) is read to its end, judged as one result, and resolved to as a
 * stream of the same kind. Texts and bytes are judged as `{result: <all of it>}`, objects as `{chunks, texts}`, where `texts` has what
 * they spell together by its place in them.
 *
 * @throws BlockedError the result must not be delivered; an escalated result is one of these, and a stream longer than `maxStreamBytes`
 */
export const enforceToolResult = <T>(action: string, result: T, options: EnforceOptions): Promise<T> =>
  deliveredResult(action, result, options, async (error) => {
    if (!isCutShort(error)) await reportOutcome({ status: "failed", error }, options);
  });

/** The same. `onFailure` is told the error of a stream that failed on its way, before what came of it is judged. */
export const deliveredResult = async <T>(
  action: string,
  result: T,
  options: EnforceOptions,
  onFailure: (error: unknown) => Promise<unknown>,
): Promise<T> => {
  checkedOptions(options);
  if (isStream(result)) return (await deliveredStream(action, result, options, onFailure)) as T;
  const view = options.engine.replays === true ? recordedForm(result) : resultView(result);
  const replacement = await judgedResult(action, view, options);
  // What replaces a result need not have its type: a rule may answer a string for an object.
  return replacement === null ? result : (replacement.value as T);
};

const resultView = (result: unknown): Readonly<Record<string, unknown>> =>
  isPlainObject(result) ? result : { result: result ?? null };
