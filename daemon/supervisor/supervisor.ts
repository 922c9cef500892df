import type { Worker } from "node:worker_threads";
import type { Settings } from "../config/settings.ts";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { refusalOf } from "../start-refusal.ts";
import { crashName } from "./crash-name.ts";
import { type EngineEnd, type EngineEndRecorder, endOf } from "./engine-end.ts";
import { beginEngineThread, type Engine } from "./engine-thread.ts";
import type { EngineStart, FromEngine, ReloadState, RuleSources, ToEngine, WatchedRule } from "./messages.ts";
import { clearRestartMark, setRestartMark } from "./restart-mark.ts";
import { newSlotMemory, WatchdogSlot } from "./slot.ts";
import { StoreAway } from "./store-away.ts";
import { Strikes } from "./strikes.ts";
import { type Finding, Watchdog } from "./watchdog.ts";

const lookInterval_ms = 20;
/** After so long without a question the watchdog looks less often: an idle daemon should not keep a core awake. */
const restAfter_ms = 5_000;
const restInterval_ms = 100;
const loadingDeadline_ms = 10_000;
const stallDeadline_ms = 10_000;
const storeRetry_ms = 500;
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
  #begun: Worker | null;
  readonly #events: SupervisorEvents;
  readonly #strikes = new Strikes();
  readonly #started_ms = Date.now();
  readonly #rules = new Map<number, WatchedRule>();
  readonly #watchdog: Watchdog;
  #served: RuleSources;
  #worker: Worker | null = null;
  #slot!: WatchdogSlot;
  #chain: string | null = null;
  #nextRuleNumber = 0;
  #timer: NodeJS.Timeout | null = null;
  #lastStep = 0;
  #idleSince_ms = 0;
  /** Resolves when the engine listens: the first, or the one that follows an engine that ended. */
  #ready: Promise<void> = Promise.resolve();
  #listening = false;
  /** Ends the launch that is under way. */
  #refuseLaunch: (refusal: Refusal) => void = () => undefined;
  #stopped: Promise<void> | null = null;
  #swaps: Promise<unknown> = Promise.resolve();
  /** What the engine was told to put in force and has not said anything about. */
  #swap: { readonly sources: RuleSources; readonly settle: (outcome: SwapOutcome) => void } | null = null;
  #reload: ReloadState = { count: 0, ok: true, message: "" };
  #stopAsked = false;
  digest = "";
  #rulesVersion = 0;

  constructor(settings: Settings, engine: Engine, served: RuleSources, events: SupervisorEvents) {
    this.#begun = engine.first;
    this.#settings = settings;
    this.#engineUrl = engine.url;
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
    this.#ready = this.#launch("first", false);
    return this.#ready;
  }

  /**
   * Puts sources in force that a loading worker has already proved; the engine verifies their signatures again. One
   * after the other, and never in the middle of a restart.
   */
  swap(sources: RuleSources): Promise<SwapOutcome> {
    const outcome = this.#swaps.then(() => this.#swapNow(sources));
    this.#swaps = outcome;
    return outcome;
  }

  async #swapNow(sources: RuleSources): Promise<SwapOutcome> {
    await this.#ready;
    if (this.#stopped !== null) return { ok: false, message: "the daemon is stopping" };
    const outcome = await new Promise<SwapOutcome>((settle) => {
      this.#swap = { sources, settle };
      this.#tell({ kind: "swap", sources });
    });
    this.#swap = null;
    return outcome;
  }

  /** Noted in the ledger and in what `status` tells. */
  async reloadRefused(message: string): Promise<void> {
    await this.#ready;
    this.#reload = { count: this.#reload.count + 1, ok: false, message };
    this.#tell({ kind: "reload_refused", message });
  }

  /** Everything is blocked from here on: by the engine that runs, and by the next one where it ends before that is in the store. */
  stopAll(): void {
    this.#stopAsked = true;
    this.#tell({ kind: "stop_all" });
  }

  get served(): RuleSources {
    return this.#served;
  }

  /** What was asked is answered, then the socket is gone. Asked again, it is the same stop. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    // An engine that is being replaced is recorded and the mark taken away first.
    await this.#ready.catch(() => undefined);
    const worker = this.#worker;
    if (worker !== null) {
      await new Promise<void>((resolve) => {
        worker.on("message", (message: FromEngine) => message.kind === "drained" && resolve());
        worker.once("exit", () => resolve());
        setTimeout(resolve, stopDeadline_ms).unref();
        this.#tell({ kind: "drain" });
      });
      // It may have ended instead, in a rule that hung: then that is recorded first.
      await this.#ready.catch(() => undefined);
      this.#worker = null;
      await worker.terminate();
    }
    if (this.#timer !== null) clearTimeout(this.#timer);
    clearRestartMark(this.#settings.socket);
  }

  #tell(message: ToEngine): void {
    this.#worker?.postMessage(message);
  }

  #launch(why: "first" | "restart", disabled: boolean): Promise<void> {
    const memory = newSlotMemory();
    this.#slot = new WatchdogSlot(memory);
    this.#watchdog.reset();
    this.#listening = false;
    const start: EngineStart = {
      memory,
      settings: this.#settings,
      sources: this.#served,
      firstRuleNumber: this.#nextRuleNumber,
      runExamples: why === "first",
      disabled,
      suspended: this.#strikes.suspended,
      overran: this.#strikes.overranDigests,
      started_ms: this.#started_ms,
      reload: this.#reload,
      stopAsked: this.#stopAsked,
      chain: this.#chain,
    };
    const worker = this.#begun ?? beginEngineThread(this.#engineUrl);
    this.#begun = null;
    worker.postMessage(start);
    this.#worker = worker;
    this.#look();
    return new Promise((resolve, reject) => {
      this.#refuseLaunch = reject;
      let crash = "";
      worker.on("message", (message: FromEngine) => {
        if (message.kind === "listening") {
          this.#listening = true;
          this.#chain = message.chain;
          clearRestartMark(this.#settings.socket);
          resolve();
        } else if (message.kind === "refused") {
          reject(message.isPassing ? new StoreAway(message.message) : new Refusal(message.exitCode, message.message));
        } else {
          this.#hear(message);
        }
      });
      worker.on("error", (error: unknown) => {
        crash = crashName(error);
      });
      worker.on("exit", () => {
        if (this.#worker !== worker) return;
        const why = crash === "" ? "no reason given" : crash;
        if (this.#listening) this.#end({ kind: "crashed", crash: why });
        else reject(new Refusal(ExitCode.refused, `the engine ended while it started (${why})`));
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
        this.#rulesVersion = message.version;
        return;
      case "swapped":
        // From here on an engine that has to be restarted is restarted with these.
        this.#served = this.#swap?.sources ?? this.#served;
        this.#strikes.forgive();
        this.#swapped({ ok: true, message: "" });
        return;
      case "swap_refused":
        this.#swapped({ ok: false, message: message.message });
        return;
      case "stop_written":
        this.#stopAsked = false;
        return;
      case "notice":
        this.#events.log(message.line);
        return;
    }
  }

  #swapped(outcome: SwapOutcome): void {
    this.#reload = { count: this.#reload.count + 1, ...outcome };
    this.#swap?.settle(outcome);
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
    if (finding.kind !== "well") {
      if (this.#listening) this.#end(finding);
      else this.#refuseLaunch(loadingRefusal);
      return;
    }
    const resting = now_ms - this.#idleSince_ms > restAfter_ms;
    this.#timer = setTimeout(() => this.#look(), resting ? restInterval_ms : lookInterval_ms);
  }

  /** The engine hangs or is gone. */
  #end(finding: Ended): void {
    const worker = this.#worker;
    if (worker === null) return;
    this.#worker = null;
    this.#ready = this.#replace(worker, finding);
    this.#ready.catch((error: unknown) => this.#events.failed(refusalOf(error)));
  }

  /** Decides what the engine left undecided, then starts the next one; none where the daemon stops. */
  async #replace(worker: Worker, finding: Ended): Promise<void> {
    const seen = this.#slot.look();
    this.#mark();
    await worker.terminate();
    if (finding.kind === "loading_overran") throw loadingRefusal;
    // A rule that came back between the look and the end has been answered, or will be asked again.
    const cameBack = this.#slot.look().step !== seen.step;
    const end: EngineEnd = endOf(finding, seen.running, cameBack, this.#rules);
    const now_ms = Date.now();
    const digest = await this.#events.recordEnd(end, this.#slot.request(), {
      rules: this.digest,
      rules_version: this.#rulesVersion,
      chain: this.#chain,
    });
    if (end.rule !== null && digest !== null && this.#strikes.overran(end.rule.id, digest, now_ms)) {
      this.#events.log(
        `rule ${end.rule.id} overran too often and is suspended; what it judges is blocked until a reload`,
      );
    }
    this.#events.log(end.line);
    const disabled = !this.#strikes.restarted(now_ms);
    if (disabled) this.#events.log("the engine ended too often: everything is blocked until the rules are reloaded");
    if (this.#swap !== null) this.#swapped({ ok: false, message: "the engine ended during the reload" });
    await this.#relaunch(disabled);
  }

  /**
   * A store that cannot be had for the moment (a full disk) is waited for: meanwhile nobody listens and the mark stands,
   * so that every call waits or is blocked, and nobody has to start the daemon again when the disk has room.
   */
  async #relaunch(disabled: boolean): Promise<void> {
    for (let isTold = false; this.#stopped === null; isTold = true) {
      try {
        await this.#launch("restart", disabled);
        return;
      } catch (error) {
        if (!(error instanceof StoreAway)) throw error;
        if (!isTold) this.#events.log(`${error.message}; every call is blocked until it can be used`);
        const worker = this.#worker;
        this.#worker = null;
        await worker?.terminate();
        await new Promise((resolve) => setTimeout(resolve, storeRetry_ms));
      }
    }
  }

  /** Without its mark a restart looks like an absence to clients that let calls through then: the operator is told. */
  #mark(): void {
    if (!setRestartMark(this.#settings.socket))
      this.#events.log(`the mark of a restart cannot be set beside ${this.#settings.socket}`);
  }
}

interface SwapOutcome {
  readonly ok: boolean;
  readonly message: string;
}

type Ended = Exclude<Finding, { kind: "well" }> | { readonly kind: "crashed"; readonly crash: string };

const loadingRefusal = new Refusal(
  ExitCode.refused,
  `the rules did not load within ${loadingDeadline_ms / 1000} s: a module or an example hangs`,
);
