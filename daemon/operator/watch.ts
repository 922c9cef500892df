import type { Watched } from "./answer.ts";
import type { ApprovalService } from "./approval-service.ts";
import type { ApprovalView } from "./approval-view.ts";
import { maxWatched, watchBeat_ms, watchInterval_ms } from "./limits.ts";
import { OperatorRefused } from "./refusal.ts";

/** Somebody who waits for requests. */
export interface Watcher {
  tell(watched: Watched): void;
}

/**
 * Tells watchers of requests as they come, and of what becomes of them. It looks into the store, so it sees what other daemons that share
 * the store are asked too, and what time has ended; while nobody watches it does not look.
 */
export class ApprovalWatch {
  readonly #approvals: ApprovalService;
  readonly #watchers = new Set<Watcher>();
  /** Versions of the pending ones that watchers were told of. */
  #told: ReadonlyMap<string, number> = new Map();
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;
  #store: "ok" | "unavailable" = "ok";
  #lastBeat_ms = 0;

  constructor(approvals: ApprovalService) {
    this.#approvals = approvals;
  }

  /** What is pending now; what comes after is told. One that comes meanwhile may be told twice, never not at all. */
  async begin(watcher: Watcher): Promise<readonly ApprovalView[]> {
    this.#watchers.add(watcher);
    this.#timer ??= this.#begin();
    try {
      const listed = await this.#approvals.list({ status: "pending", limit: maxWatched });
      const pending = listed.filter(({ status }) => status === "pending");
      if (this.#watchers.size === 1) this.#told = new Map(pending.map((view) => [view.approval_id, view.version]));
      return pending;
    } catch (error) {
      this.end(watcher);
      throw error;
    }
  }

  end(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#told = new Map();
  }

  /** Looks once. */
  async look(now_ms: number): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const changes = await this.#changes();
      for (const approval of changes) this.#tell({ kind: "approval", approval });
      this.#beat(now_ms, "ok");
    } catch (error) {
      if (!(error instanceof OperatorRefused)) throw error;
      this.#beat(now_ms, "unavailable");
    } finally {
      this.#isLooking = false;
    }
  }

  #begin(): NodeJS.Timeout {
    this.#lastBeat_ms = performance.now();
    const timer = setInterval(() => {
      // Whoever watches learns of it by the silence.
      this.look(performance.now()).catch(() => undefined);
    }, watchInterval_ms);
    return timer.unref();
  }

  async #changes(): Promise<readonly ApprovalView[]> {
    const pending = await this.#approvals.pending(maxWatched);
    const changed = [...pending].filter(([approval_id, version]) => this.#told.get(approval_id) !== version);
    const gone = [...this.#told].filter(([approval_id]) => !pending.has(approval_id));
    const views: ApprovalView[] = [];
    for (const [approval_id] of [...changed, ...gone]) views.push(await this.#approvals.show(approval_id, "listed"));
    this.#told = pending;
    return views;
  }

  #beat(now_ms: number, store: "ok" | "unavailable"): void {
    if (store === this.#store && now_ms - this.#lastBeat_ms < watchBeat_ms) return;
    this.#store = store;
    this.#lastBeat_ms = now_ms;
    this.#tell({ kind: "beat", store });
  }

  #tell(watched: Watched): void {
    for (const watcher of [...this.#watchers]) watcher.tell(watched);
  }
}
