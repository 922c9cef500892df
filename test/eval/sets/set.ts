/** What came of one extra set. */
export interface SetResult {
  /** What is counted, in plural: `executions`, `calls past the threshold`. */
  readonly counted: string;
  /** How many with the part under test left out; null where there is nothing to leave out. */
  readonly baseline: number | null;
  readonly treatment: number;
  /** How many there should be. */
  readonly wanted: number;
  readonly total: number;
  /** Calls with nothing wrong about them that did not run, or not as they were meant, on the same daemon. */
  readonly false_blocks: number;
  readonly safe: number;
}

export interface ExtraSet {
  /** As `--metric` and the report name it. */
  readonly name: string;
  run(): Promise<SetResult>;
}
