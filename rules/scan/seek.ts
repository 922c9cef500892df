import { type Decoded, decodedIn } from "./decode.ts";
import type { Inner } from "./inner.ts";
import type { About, Detect, Encoding, Span } from "./span.ts";
import { merged } from "./span.ts";

/** An encoding inside of an encoding inside of an encoding: deeper is not looked. */
export const maxLayers = 4;

/** Things found in what one text decodes to, before the rest of it counts as one more. */
export const maxSpans = 512;

const noEncodings: readonly Encoding[] = Object.freeze([]);
const noInners: readonly Inner[] = Object.freeze([]);

/** A text of a value, which knows what it decodes to once it was asked for. */
interface Opened {
  inners: readonly Inner[] | null;
}

/** What `detect` finds in a text and in everything that it decodes to, which `kept` keeps for whoever looks next. */
export const seek = (
  text: string,
  { phase, name }: Pick<About, "phase" | "name">,
  detect: Detect,
  kept?: Opened,
): readonly Span[] => {
  const outside = detect(text, { phase, name, isBinary: false, encodings: noEncodings });
  const inners = innersOf(text, kept);
  if (inners.length === 0) return merged(outside);
  const spans = [...outside];
  for (const { start, end, text: inner, encodings, isBinary } of inners) {
    for (const { class: found, confidence } of detect(inner, { phase, name, isBinary, encodings }))
      spans.push({ class: found, start, end, confidence, encodings });
    if (spans.length < maxSpans) continue;
    // Enough: what is behind is taken to be more of it, and is not looked at.
    spans.push({ ...(spans.at(-1) as Span), start: end, end: text.length });
    break;
  }
  return merged(spans);
};

const innersOf = (text: string, kept: Opened | undefined): readonly Inner[] => {
  if (kept !== undefined && kept.inners !== null) return kept.inners;
  const decoded = decodedIn(text);
  let inners = noInners;
  if (decoded.length > 0) {
    const opened: Inner[] = [];
    open(decoded, null, opened);
    inners = opened;
  }
  if (kept !== undefined) kept.inners = inners;
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
