import { Worker } from "node:worker_threads";
import type { Settings } from "../config/settings.ts";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { type EngineEnd, type EngineEndRecorder, endOf } from "./engine-end.ts";
import type { EngineStart, FromEngine, RuleSources, ToEngine, WatchedRule } from "./messages.ts";
import { clearRestartMark, setRestartMark } from "./restart-mark.ts";
import { newSlotMemory, WatchdogSlot } from "./slot.ts";
import { Strikes } from "./strikes.ts";
import { type Finding, Watchdog } from "./watchdog.ts";

const lookInterval_ms = 20;
/** After so long without a question the watchdog looks less often: an idle daemon should not keep a core awake. */
const restAfter_ms = 5_000;
const restInterval_ms = 100;
const loadingDeadline_ms = 10_000;
const stallDeadline_ms = 3_000;
const stopDeadline_ms = 15_000;

export interface SupervisorEvents {
  /** One line for the operator. */
  log(line: string): void;
  /** The engine cannot be had any more: the daemon ends. */
  failed(refusal: Refusal): void;
  readonly recordEnd: EngineEndRecorder;
}

/**
 * Starts the engine's thread, watches it from outside, and starts the next one when it hangs or ends. What the engine
 * was doing when it ended is decided here, as a block, and written to the chain once its thread is gone.
 */
export class Supervisor {
  readonly #settings: Settings;
  readonly #engineUrl: URL;
  readonly #events: SupervisorEvents;
  readonly #strikes = new Strikes();
  readonly #started_ms = Date.now();
  readonly #rules = new Map<number, WatchedRule>();
  readonly #watchdog: Watchdog;
  #served: RuleSources;
  #worker: Worker | null = null;
  #slot!: WatchdogSlot;
  #nextRuleNumber = 0;
  #timer: NodeJS.Timeout | null = null;
  #lastStep = 0;
  #idleSince_ms = 0;
  #stopping = false;
  #swap: ((outcome: { ok: boolean; message: string }) => void) | null = null;
  digest = "";

  constructor(settings: Settings, engineUrl: URL, served: RuleSources, events: SupervisorEvents) {
    this.#settings = settings;
    this.#engineUrl = engineUrl;
    this.#served = served;
    this.#events = events;
    this.#watchdog = new Watchdog(
      {
        deadlineOf_ms: (number) => this.#rules.get(number)?.deadline_ms ?? 0,
        loadingDeadline_ms,
        stallDeadline_ms,
      },
      restInterval_ms,
    );
  }

  /** Resolves when the socket is served. Rejects with the refusal that the engine gave. */
  start(): Promise<void> {
    return this.#launch("first", false);
  }

  /** Puts sources in force that a loading worker has already proved; the engine verifies their signatures again. */
  async swap(sources: RuleSources): Promise<{ ok: boolean; message: string }> {
    const outcome = await new Promise<{ ok: boolean; message: string }>((resolve) => {
      this.#swap = resolve;
      this.#tell({ kind: "swap", sources });
    });
    this.#swap = null;
    if (outcome.ok) {
      this.#served = sources;
      this.#strikes.forgive();
    }
    return outcome;
  }

  reloadRefused(message: string): void {
    this.#tell({ kind: "reload_refused", message });
  }

  get served(): RuleSources {
    return this.#served;
  }

  /** What was asked is answered, then the socket is gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const worker = this.#worker;
    if (worker === null) return;
    const drained = new Promise<void>((resolve) => {
      worker.on("message", (message: FromEngine) => message.kind === "drained" && resolve());
      worker.once("exit", () => resolve());
      setTimeout(resolve, stopDeadline_ms).unref();
    });
    this.#tell({ kind: "drain" });
    await drained;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await worker.terminate();
  }

  #tell(message: ToEngine): void {
    this.#worker?.postMessage(message);
  }

  #launch(why: "first" | "restart", disabled: boolean): Promise<void> {
    const memory = newSlotMemory();
    this.#slot = new WatchdogSlot(memory);
    this.#watchdog.reset();
    const workerData: EngineStart = {
      memory,
      settings: this.#settings,
      sources: this.#served,
      firstRuleNumber: this.#nextRuleNumber,
      runExamples: why === "first",
      disabled,
      suspended: this.#strikes.suspended,
      overran: this.#strikes.overranDigests,
      started_ms: this.#started_ms,
    };
    const worker = new Worker(this.#engineUrl, { workerData });
    this.#worker = worker;
    this.#look();
    return new Promise((resolve, reject) => {
      let listening = false;
      let crash = "";
      worker.on("message", (message: FromEngine) => {
        if (message.kind === "listening") {
          listening = true;
          clearRestartMark(this.#settings.socket);
          resolve();
        } else if (message.kind === "refused") {
          reject(new Refusal(message.exitCode, message.message));
        } else {
          this.#hear(message);
        }
      });
      worker.on("error", (error: NodeJS.ErrnoException) => {
        crash = error.code ?? error.constructor.name;
      });
      worker.on("exit", () => {
        if (this.#worker !== worker || this.#stopping) return;
        if (listening) void this.#ended({ kind: "crashed", crash });
        else reject(new Refusal(ExitCode.refused, `the engine ended while it started (${crash || "no reason given"})`));
      });
    });
  }

  #hear(message: FromEngine): void {
    switch (message.kind) {
      case "rules":
        for (const rule of message.rules) {
          this.#rules.set(rule.number, rule);
          this.#nextRuleNumber = Math.max(this.#nextRuleNumber, rule.number + 1);
        }
        this.digest = message.digest;
        return;
      case "swapped":
        this.#swap?.({ ok: true, message: "" });
        return;
      case "swap_refused":
        this.#swap?.({ ok: false, message: message.message });
        return;
    }
  }

  #look(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#worker === null) return;
    const now_ms = performance.now();
    this.#slot.setClock_ms(Math.trunc(now_ms));
    const view = this.#slot.look();
    if (view.step !== this.#lastStep || view.running !== -1) this.#idleSince_ms = now_ms;
    this.#lastStep = view.step;
    const finding = this.#watchdog.look(view, now_ms);
    if (finding.kind !== "well" && !this.#stopping) {
      void this.#ended(finding);
      return;
    }
    const resting = now_ms - this.#idleSince_ms > restAfter_ms;
    this.#timer = setTimeout(() => this.#look(), resting ? restInterval_ms : lookInterval_ms);
  }

  /** The engine hangs or is gone: decide what it left undecided, then start the next one. */
  async #ended(finding: Exclude<Finding, { kind: "well" }> | { kind: "crashed"; crash: string }): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    this.#worker = null;
    const seen = this.#slot.look();
    setRestartMark(this.#settings.socket);
    await worker.terminate();
    if (finding.kind === "loading_overran") {
      this.#events.failed(
        new Refusal(
          ExitCode.refused,
          `the rules did not load within ${loadingDeadline_ms / 1000} s: a module or an example hangs`,
        ),
      );
      return;
    }
    // A rule that came back between the look and the end has been answered, or will be asked again.
    const cameBack = this.#slot.look().step !== seen.step;
    const end: EngineEnd = endOf(finding, seen.running, cameBack, this.#rules);
    const now_ms = Date.now();
    const digest = this.#events.recordEnd(end, this.#slot.request(), this.digest);
    if (end.rule !== null && digest !== null && this.#strikes.overran(end.rule.id, digest, now_ms)) {
      this.#events.log(
        `rule ${end.rule.id} overran too often and is suspended; what it judges is blocked until a reload`,
      );
    }
    this.#events.log(end.line);
    const disabled = !this.#strikes.restarted(now_ms);
    if (disabled) this.#events.log("the engine ended too often: everything is blocked until the rules are reloaded");
    this.#swap?.({ ok: false, message: "the engine ended during the reload" });
    try {
      await this.#launch("restart", disabled);
    } catch (error) {
      this.#events.failed(error as Refusal);
    }
  }
}
