export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Every match of a global pattern. `matchAll` copies the pattern each time, which costs more than a short text. */
export const hitsOf = (pattern: RegExp, text: string): readonly Hit[] => {
  pattern.lastIndex = 0;
  let hit = pattern.exec(text);
  if (hit === null) return none;
  const hits: Hit[] = [];
  for (; hit !== null; hit = pattern.exec(text)) {
    const end = hit.index + hit[0].length;
    hits.push({ start: hit.index, end, text: hit[0] });
    if (end === hit.index) pattern.lastIndex = end + 1;
  }
  return hits;
};

const none: readonly Hit[] = Object.freeze([]);
