import { canonicalJson } from "../../wire/canonical.ts";
import { encodeValue } from "../../wire/codec.ts";
import { inFormOf, isPart, joined, type Part } from "./chunk.ts";
import type { StreamView } from "./view.ts";

/** A stream of texts and bytes is judged as the one text or the bytes that it is; what replaces it is one chunk. */
const textView = (parts: readonly Part[], whole: Part): StreamView => ({
  shown: { result: whole },
  replacedBy: (replacement) => ({
    chunks: [inFormOf(parts[0] ?? "", isPart(replacement) ? replacement : jsonOf(replacement))],
    isMerged: false,
  }),
});

/** The view, where parts are one text or bytes; null where they cannot be joined. */
export const asText = (chunks: readonly unknown[]): StreamView | null => {
  if (!chunks.every(isPart)) return null;
  const whole = joined(chunks);
  return whole === null ? null : textView(chunks, whole);
};

/** A rule may answer an object for a text. */
const jsonOf = (value: unknown): string => canonicalJson(encodeValue(value, { escape: true }));
