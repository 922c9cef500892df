/** Hashes of a complete tile (C2SP tlog-tiles): one of level L is a subtree of 8 L levels. */
export const tileWidth = 256;

/** 1234067 is x001/x234/067. */
const digitsOf = (index: number): string => {
  const groups: string[] = [];
  for (let rest = index; groups.length === 0 || rest > 0; rest = Math.floor(rest / 1000)) {
    groups.unshift(String(rest % 1000).padStart(3, "0"));
  }
  return groups.map((group, at) => (at === groups.length - 1 ? group : `x${group}`)).join("/");
};

/**
 * Where a tile of the tree stands, or a bundle of entries, below the folder that is served.
 * @param width how many of its places are taken; fewer than `tileWidth` in the last of its level.
 */
export const tilePath = (level: number | "entries", index: number, width: number): string =>
  `tile/${level}/${digitsOf(index)}${width === tileWidth ? "" : `.p/${width}`}`;
