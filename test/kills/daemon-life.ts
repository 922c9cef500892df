import { localCoordination } from "../../daemon/coordination/local.ts";
import type { EngineState } from "../../daemon/engine/judge.ts";
import { indexRules } from "../../daemon/engine/rule-index.ts";
import { transactionKeys } from "../../daemon/engine/transaction-state.ts";
import { claimedOnly } from "../../daemon/identity/testing.ts";
import type { OpenLedger } from "../../daemon/ledger/record.ts";
import { ApprovalService } from "../../daemon/operator/approval-service.ts";
import { noStops } from "../../daemon/operator/plane.testkit.ts";
import { TransactionService } from "../../daemon/operator/transaction-service.ts";
import type { LoadedRules } from "../../daemon/rulesets/loaded.ts";
import { CommitGroup } from "../../daemon/socket/commit-group.ts";
import { FrontDesk } from "../../daemon/socket/front-desk.ts";
import { OpenCalls } from "../../daemon/socket/open-calls.ts";
import { type Bench, QuestionDesk } from "../../daemon/socket/question-desk.ts";
import { neverStopped } from "../../daemon/stops/stops.testkit.ts";
import { type Maybe, whenDone } from "../../daemon/store/steps.ts";
import { Resumptions } from "../../daemon/supervisor/resumptions.ts";
import { EngineSlot, newSlotMemory } from "../../daemon/supervisor/slot.ts";
import { noSurfaces } from "../../daemon/surfaces/surfaces.testkit.ts";
import { approvedCalls } from "../../daemon/transactions/approved-calls.ts";
import { newTransactionId } from "../../daemon/transactions/ids.ts";
import { priorCall } from "../../daemon/transactions/prior-call.ts";
import { becameUnknown, openCallIds, recoverNow } from "../../daemon/transactions/recover-now.ts";
import type { SimTime } from "../simulation/sim-time.ts";
import type { Seeded } from "../torture/kit/seed.ts";
import type { Fuse, Work } from "./fuse.ts";
import type { KillableStore, Life, OpenedLedger } from "./killable-store.ts";
import { LifeConnection } from "./life-connection.ts";

/** One for all: it is 8 MiB, and one engine runs at a time. */
const slot = new EngineSlot(newSlotMemory());

/** By what a daemon judges, and when it dies. */
interface Mortality {
  readonly fuse: Fuse;
  readonly from: Seeded;
  readonly rules: LoadedRules;
}

/** One daemon from its start to its kill: the real desks, group and ledger on a real store, without sockets and threads. */
export class DaemonLife implements Life {
  readonly fuse: Fuse;
  readonly from: Seeded;
  readonly #store: KillableStore;
  work: Work = "call";
  isDead = false;
  ledger!: OpenLedger;
  receipts!: OpenedLedger["receipts"];
  approvals!: ApprovalService;
  transactions!: TransactionService;
  #desk!: FrontDesk;
  #questions!: QuestionDesk;
  #flush: (() => Maybe<void>) | null = null;
  #group!: CommitGroup;
  /** Looks into a store that answers later. */
  #looking = 0;

  private constructor(store: KillableStore, fuse: Fuse, from: Seeded) {
    this.#store = store;
    this.fuse = fuse;
    this.from = from;
  }

  static async start(store: KillableStore, schedule: Mortality, time: SimTime): Promise<DaemonLife> {
    const { fuse, from, rules } = schedule;
    const life = new DaemonLife(store, fuse, from);
    const now_ms = (): number => time.now_ms();
    const { ledger, receipts } = await store.open(life, now_ms());
    life.ledger = ledger;
    life.receipts = receipts;
    const state: EngineState = {
      index: indexRules(rules, 0),
      unknown: "block",
      scopes: null,
      suspended: new Set(),
      watch: { enter: () => undefined, leave: () => undefined, coarseNow_ms: () => time.elapsed_ms() },
      timer: time,
      resumptions: new Resumptions(),
      transactions: {
        keys: transactionKeys(ledger.keyedHash),
        newTransactionId,
        look: (key, at_ms) => life.#looked(whenDone(ledger.reads.findClaim(key), (claim) => priorCall(claim, at_ms))),
      },
    };
    const approved = approvedCalls(ledger);
    const bench: Bench = {
      state,
      disabled: false,
      overran: new Set(),
      identities: claimedOnly,
      stops: neverStopped,
      ledger: {
        commit: (entries) => ledger.commit(entries),
        appendControl: (record) => ledger.appendControl(record),
        remembersSession: (session) => ledger.remembersSession(session),
        decidedCall: (session, call) => ledger.decidedCall(session, call),
        findDecision: (ask) => life.#looked(ledger.findDecision(ask)),
        close: () => ledger.close(),
      },
      coordination: localCoordination,
      approved: { find: (approval_id, at_ms) => life.#looked(approved.find(approval_id, at_ms)) },
      openCalls: new OpenCalls(await openCallIds(ledger)),
      capture: null,
      slot,
      now_ms,
      surfaces: noSurfaces(),
    };
    life.#group = new CommitGroup(bench.ledger, (flush) => {
      life.#flush = flush;
    });
    life.#questions = new QuestionDesk(bench, life.#group);
    const reload = { count: 0, ok: true, message: "" };
    const health = { started_ms: now_ms(), receipts: () => ledger.receipts(), reload };
    life.#desk = new FrontDesk(bench, life.#questions, life.#group, health);
    const plane = {
      ledger,
      stops: noStops,
      surfaces: noSurfaces().keeper,
      now_ms,
      rules: () => rules.digest,
      redacted: () => [],
      resolved: (transaction_id: string) => life.#questions.waiting.ended(transaction_id),
    };
    life.approvals = new ApprovalService(plane);
    life.transactions = new TransactionService(plane);
    return life;
  }

  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#store.kill();
  }

  /** A peer that has said hello. */
  connect(hello: Buffer, hears: (frame: string) => void): LifeConnection {
    const connection = new LifeConnection((frame) => {
      if (!this.isDead) hears(frame);
    });
    this.take(connection, hello);
    connection.framesSeen++;
    return connection;
  }

  take(connection: LifeConnection, line: Buffer): void {
    if (this.isDead) return;
    if (this.fuse.blowsAt("before the frame is read")) this.die();
    else this.#desk.onLine(connection.asConnection, line);
  }

  /** What is judged is written and answered. */
  async flush(): Promise<void> {
    await this.settled();
    const flush = this.#flush;
    this.#flush = null;
    if (flush === null || this.isDead) return;
    if (this.fuse.blowsAt("judged, not written")) return this.die();
    this.work = "call";
    // The group gives the promise to whoever scheduled it and to nobody else.
    flush();
    await this.#group.flush();
    if (!this.isDead && this.fuse.blowsAt("answered")) this.die();
  }

  /** What time has settled. */
  async recover(rules: string, now_ms: number): Promise<void> {
    if (this.isDead) return;
    this.work = "recovery";
    for (const id of becameUnknown(await recoverNow(this.ledger, rules, now_ms))) this.#questions.waiting.ended(id);
  }

  /** What waits in the journal goes to where it stays. */
  async settle(): Promise<void> {
    if (!this.isDead) await this.ledger.settle();
  }

  /** Whoever waits for another's end looks again, as it does when its time passes. */
  lookAgain(): void {
    this.#questions.waiting.ended(null);
  }

  /** Nothing is being looked up. */
  async settled(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#looking > 0);
  }

  #looked<T>(answer: Maybe<T>): Maybe<T> {
    if (!(answer instanceof Promise)) return answer;
    this.#looking++;
    const over = (): void => {
      this.#looking--;
    };
    answer.then(over, over);
    return answer;
  }
}
