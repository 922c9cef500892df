import { type Decoded, decodedIn } from "./decode.ts";
import type { About, Detect, Encoding, Span } from "./span.ts";
import { merged } from "./span.ts";

/** A text inside of another, with the place in the outermost that it came from. */
interface Inner {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly encodings: readonly Encoding[];
  readonly isBinary: boolean;
}

/** An encoding inside of an encoding inside of an encoding: deeper is not looked. */
export const maxLayers = 4;

/** Things found in what one text decodes to, before the rest of it counts as one more. */
export const maxSpans = 512;

/** What has been decoded of a text, for the packs that look at the same one. */
const known = new WeakMap<object, readonly Inner[]>();

/**
 * What `detect` finds in a text and in everything that it decodes to. `key` is an object that stands for the text as long as it
 * lives, so that it is decoded once.
 */
export const seek = (
  text: string,
  about: Omit<About, "isBinary" | "encodings">,
  detect: Detect,
  key?: object,
): readonly Span[] => {
  const spans = [...detect(text, { ...about, isBinary: false, encodings: [] })];
  for (const { start, end, text: inner, encodings, isBinary } of innersOf(text, key)) {
    for (const { class: found, confidence } of detect(inner, { ...about, isBinary, encodings }))
      spans.push({ class: found, start, end, confidence, encodings });
    if (spans.length < maxSpans) continue;
    // Enough: what is behind is taken to be more of it, and is not looked at.
    spans.push({ ...(spans.at(-1) as Span), start: end, end: text.length });
    break;
  }
  return merged(spans);
};

const innersOf = (text: string, key: object | undefined): readonly Inner[] => {
  const before = key === undefined ? undefined : known.get(key);
  if (before !== undefined) return before;
  const inners: Inner[] = [];
  open(decodedIn(text), null, inners);
  if (key !== undefined) known.set(key, inners);
  return inners;
};

const open = (decoded: readonly Decoded[], outer: Inner | null, inners: Inner[]): void => {
  for (const { start, end, text, encoding, isBinary } of decoded) {
    const inner: Inner = {
      start: outer?.start ?? start,
      end: outer?.end ?? end,
      text,
      encodings: [...(outer?.encodings ?? []), encoding],
      isBinary: isBinary || outer?.isBinary === true,
    };
    inners.push(inner);
    // Bytes that are no text hold no further text that somebody could have meant.
    if (!inner.isBinary && inner.encodings.length < maxLayers) open(decodedIn(text), inner, inners);
  }
};
