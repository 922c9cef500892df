import { blocked } from "../ask.ts";
import type { EnforceOptions } from "../guard-options.ts";
import { judgedResult } from "../judge-result.ts";
import { defaultStreamBytes } from "../limits.ts";
import { notPutToGuard } from "../reasons.ts";
import { chunksView } from "./chunks-view.ts";
import { type Collected, collected } from "./collect.ts";
import { openStream } from "./open.ts";
import type { StreamSource } from "./source.ts";
import { asText } from "./text-view.ts";
import { ReplacedApart, type StreamView } from "./view.ts";

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
  const { source, chunks, end, view } = await readWhole(action, stream, options);
  if (end.failed) await onFailure(end.error);
  // A part is not the call's result: it closes nothing, and is replayed to nobody.
  const replacement = await judgedResult(action, view.shown, end.failed ? { ...options, callId: null } : options);
  return source.remade(replacement === null ? chunks : replacedBy(action, view, replacement.value), end);
};

interface Read extends Collected {
  readonly source: StreamSource;
  readonly view: StreamView;
}

const readWhole = async (action: string, stream: object, options: EnforceOptions): Promise<Read> => {
  const { maxStreamBytes = defaultStreamBytes, signal } = options;
  try {
    const source = openStream(stream);
    const read = await collected(source, maxStreamBytes, signal);
    return { source, ...read, view: asText(read.chunks) ?? chunksView(read.chunks) };
  } catch (error) {
    if (signal?.aborted === true && error === signal.reason) throw error;
    throw blocked(action, notPutToGuard(action, "result", error));
  }
};

const replacedBy = (action: string, view: StreamView, replacement: unknown): readonly unknown[] => {
  try {
    return view.replacedBy(replacement);
  } catch (error) {
    if (!(error instanceof ReplacedApart)) throw blocked(action, notPutToGuard(action, "result", error));
    throw blocked(
      action,
      "a rule changed the chunks of a stream and the text that they make in ways that do not fit together",
    );
  }
};
