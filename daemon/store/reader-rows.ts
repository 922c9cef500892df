/** A signed checkpoint as it is stored: by the size of the tree that it is of. */
export interface CheckpointRow {
  readonly size: number;
  readonly note: string;
}

/** What stands for receipts that retention took: the last of them, and the subtrees that their leaves made. */
export interface PrunedMark {
  readonly through: number;
  /** The hash of receipt `through`: what the next one links to. */
  readonly hash: string;
  /** Hashes, the largest subtree first. What is damaged is given as it is: a verifier finds it. */
  readonly frontier: readonly string[];
  readonly time_ms: number;
}

export const frontierText = (frontier: readonly string[]): string => frontier.join(" ");

export const readFrontier = (text: string): readonly string[] => Object.freeze(text === "" ? [] : text.split(" "));
