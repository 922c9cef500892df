/** What rules are shown of a stream that was collected, and what becomes of its chunks where they replace it. */
export interface StreamView {
  readonly shown: Readonly<Record<string, unknown>>;
  /** @throws ReplacedApart no chunks can be made of it */
  readonly replacedBy: (replacement: unknown) => Replaced;
}

export interface Replaced {
  readonly chunks: readonly unknown[];
  /** Were the pieces of a text changed in one way and the joined text in another? Then the chunks are what nobody has judged yet. */
  readonly isMerged: boolean;
}

/** The pieces of a stream and the texts that they make were replaced in ways that do not fit together. */
export class ReplacedApart extends Error {
  override readonly name = "ReplacedApart";
}
