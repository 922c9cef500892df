/** A complete subtree: the leaves from `index * 2^level`, 2^level of them. Level 0 is a leaf. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** Leaves `from` up to, and without, `to`. */
export interface Leaves {
  readonly from: number;
  readonly to: number;
}

/** The largest power of two below `count`, which RFC 6962 splits a tree of `count` leaves at. */
export const splitOf = (count: number): number => {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
};

/** The complete subtrees that a node over these leaves is made of, from left to right: `from` is a multiple of its size. */
export const subtreesOf = ({ from, to }: Leaves): readonly Subtree[] => {
  const subtrees: Subtree[] = [];
  for (let at = from; at < to; ) {
    let [level, width] = [0, 1];
    while (at + width * 2 <= to) [level, width] = [level + 1, width * 2];
    subtrees.push({ level, index: at / width });
    at += width;
  }
  return subtrees;
};
