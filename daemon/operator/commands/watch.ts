import type { ApprovalView } from "../approval-view.ts";
import { type OperatorSeat, OperatorsAway, watchOperators } from "../ask-operators.ts";
import { approvalLine } from "../display/approval-line.ts";
import { safeJson, safeText } from "../display/safe-text.ts";

/** What a watch prints: requests on stdout, how the watch itself is on stderr. */
export interface WatchLine {
  readonly to: "stdout" | "stderr";
  readonly line: string;
}

export interface WatchOptions {
  readonly json: boolean;
  readonly signal: AbortSignal;
  readonly now_ms: () => number;
  /** Waits so long, or until the watch is ended. */
  readonly wait: (delay_ms: number, signal: AbortSignal) => Promise<void>;
}

const retry_ms = 1_000;

/**
 * `interlock approvals watch`: what is pending, then what comes and what becomes of it, until it is ended. Nobody waits
 * blind: where the daemon or its store is away it says so, and asks again.
 */
export async function* watchApprovals(seat: OperatorSeat, options: WatchOptions): AsyncGenerator<WatchLine> {
  const { signal, wait } = options;
  const seen = new Map<string, string>();
  let isAway = false;
  while (!signal.aborted) {
    try {
      for await (const lines of connected(seat, options, seen)) {
        if (isAway) yield { to: "stderr", line: "the daemon is back" };
        isAway = false;
        yield* lines;
      }
    } catch (error) {
      if (!(error instanceof OperatorsAway)) throw error;
      if (!isAway) yield { to: "stderr", line: `not watching: ${safeText(error.message)}; asking again every second` };
      isAway = true;
      await wait(retry_ms, signal);
    }
  }
}

async function* connected(
  seat: OperatorSeat,
  { json, signal, now_ms }: WatchOptions,
  seen: Map<string, string>,
): AsyncGenerator<readonly WatchLine[]> {
  let store: "ok" | "unavailable" = "ok";
  const linesOf = (views: readonly ApprovalView[]): readonly WatchLine[] =>
    views
      .filter((view) => seen.get(view.approval_id) !== stateOf(view))
      .map((view) => {
        seen.set(view.approval_id, stateOf(view));
        return { to: "stdout", line: json ? safeJson(view) : approvalLine(view, now_ms()) };
      });
  for await (const said of watchOperators(seat, signal)) {
    if ("pending" in said) {
      const pending = said.pending as unknown as readonly ApprovalView[];
      const watching: WatchLine = { to: "stderr", line: `watching; ${pending.length} pending` };
      yield [watching, ...linesOf(pending)];
    } else if (said.kind === "approval") yield linesOf([said.approval]);
    else if (said.store !== store) {
      store = said.store;
      const line = store === "ok" ? "the store is back" : "not watching: the store cannot be read; asking again";
      yield [{ to: "stderr", line }];
    }
  }
}

/** Time changes the status of one whose version stays. */
const stateOf = ({ version, status }: ApprovalView): string => `${version}:${status}`;
