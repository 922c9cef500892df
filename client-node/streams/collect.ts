import { WireError } from "../../wire/errors.ts";
import { kept } from "./chunk.ts";
import type { StreamEnd, StreamSource } from "./source.ts";

export interface Collected {
  readonly chunks: readonly unknown[];
  readonly end: StreamEnd;
}

/**
 * Reads a stream to its end. A stream that fails is what came before, and its error.
 *
 * @throws WireError `bad_request` it is longer than `maxStreamBytes`, `unrepresentable` a chunk has no JSON form; the signal's reason,
 *   where it is aborted meanwhile. The source is cancelled then.
 */
export const collected = async (
  source: StreamSource,
  maxStreamBytes: number,
  signal: AbortSignal | null | undefined,
): Promise<Collected> => {
  const chunks: unknown[] = [];
  const abort = signal == null ? null : abortion(signal);
  let left = maxStreamBytes;
  try {
    for (;;) {
      const pulled = source.pull().then(
        (next) => ({ next }),
        (error: unknown) => ({ error }),
      );
      const step = await (abort === null ? pulled : Promise.race([pulled, abort.aborted]));
      if ("error" in step) return { chunks, end: { failed: true, error: step.error } };
      if (step.next.done === true) return { chunks, end: { failed: false } };
      const { chunk, bytes } = kept(step.next.value);
      // A chunk of nothing takes room all the same.
      left -= Math.max(bytes, 1);
      if (left < 0) throw new WireError("bad_request", `its stream is longer than ${maxStreamBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    source.cancel();
    throw error;
  } finally {
    abort?.forget();
  }
};

const abortion = (signal: AbortSignal): { readonly aborted: Promise<never>; readonly forget: () => void } => {
  let fail: (reason: unknown) => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    fail = reject;
  });
  aborted.catch(() => undefined);
  const onAbort = (): void => fail(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return { aborted, forget: () => signal.removeEventListener("abort", onAbort) };
};
