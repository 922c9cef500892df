import type { Ablations } from "../metrics/ablations.ts";
import type { Completion } from "../metrics/completion.ts";
import type { ByTool, Counts } from "../metrics/counts.ts";
import type { SetResult } from "../sets/set.ts";

/** What `--json` writes. A part that was not asked for is not there. */
export interface Evaluation {
  readonly unsafe_writes?: Counts & ByTool;
  readonly duplicates?: Counts;
  readonly completion?: Completion;
  readonly completion_focused?: Completion;
  readonly ablations?: Ablations;
  readonly extra?: Readonly<Record<string, SetResult>>;
}
