import { blocked } from "../ask.ts";
import type { EnforceOptions } from "../guard-options.ts";
import { judgedResult } from "../judge-result.ts";
import { defaultStreamBytes, maxStreamPasses } from "../limits.ts";
import { notPutToGuard } from "../reasons.ts";
import { chunksView } from "./chunks-view.ts";
import { type Collected, collected } from "./collect.ts";
import { openStream } from "./open.ts";
import type { StreamSource } from "./source.ts";
import { asText } from "./text-view.ts";
import { type Replaced, ReplacedApart, type StreamView } from "./view.ts";

/**
 * Reads a stream to its end, puts it to the guard as one result, and makes a stream of the same kind of what may be delivered. Of one that
 * failed on its way, what came before is judged, and the error comes after it.
 *
 * @throws BlockedError nothing of it is delivered. The signal's reason, where it is aborted while the stream is read.
 */
export const deliveredStream = async (
  action: string,
  stream: object,
  options: EnforceOptions,
  onFailure: (error: unknown) => Promise<unknown>,
): Promise<object> => {
  const { source, chunks, end } = await readWhole(action, stream, options);
  if (end.failed) await onFailure(end.error);
  // A part is not the call's result: it closes nothing, and is replayed to nobody.
  const asked = end.failed ? { ...options, callId: null } : options;
  return source.remade(await judgedChunks(action, chunks, asked, 1), end);
};

/** The chunks that may be delivered. Those that were put together of two changes are judged again. */
const judgedChunks = async (
  action: string,
  chunks: readonly unknown[],
  options: EnforceOptions,
  pass: number,
): Promise<readonly unknown[]> => {
  const view = viewOf(action, chunks);
  const replacement = await judgedResult(action, view.shown, options);
  if (replacement === null) return chunks;
  const replaced = replacedBy(action, view, replacement.value);
  if (!replaced.isMerged) return replaced.chunks;
  if (pass === maxStreamPasses) throw blocked(action, fitsNot);
  return judgedChunks(action, replaced.chunks, { ...options, callId: null }, pass + 1);
};

interface Read extends Collected {
  readonly source: StreamSource;
}

const readWhole = async (action: string, stream: object, options: EnforceOptions): Promise<Read> => {
  const { maxStreamBytes = defaultStreamBytes, signal } = options;
  try {
    const source = openStream(stream);
    return { source, ...(await collected(source, maxStreamBytes, signal)) };
  } catch (error) {
    if (signal?.aborted === true && error === signal.reason) throw error;
    throw blocked(action, notPutToGuard(action, "result", error));
  }
};

const viewOf = (action: string, chunks: readonly unknown[]): StreamView =>
  unfitIsBlocked(action, () => asText(chunks) ?? chunksView(chunks));

const replacedBy = (action: string, view: StreamView, replacement: unknown): Replaced =>
  unfitIsBlocked(action, () => view.replacedBy(replacement));

const fitsNot = "a rule changed the chunks of a stream and the text that they make in ways that do not fit together";

const unfitIsBlocked = <T>(action: string, make: () => T): T => {
  try {
    return make();
  } catch (error) {
    throw blocked(action, error instanceof ReplacedApart ? fitsNot : notPutToGuard(action, "result", error));
  }
};
