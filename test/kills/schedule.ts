import { OperatorRefused } from "../../daemon/operator/refusal.ts";
import type { Operator } from "../../daemon/operator/register.ts";
import type { LoadedRules } from "../../daemon/rulesets/loaded.ts";
import { StoreFailed } from "../../daemon/store/refused.ts";
import { Verdict } from "../../wire/verdict.ts";
import { SimTime } from "../simulation/sim-time.ts";
import { Seeded } from "../torture/kit/seed.ts";
import { type Attempt, ClientLife, type ExactCall, type Heard, newAttempt } from "./client-life.ts";
import { DaemonLife } from "./daemon-life.ts";
import { type Fuse, type KillPoint, killPoints } from "./fuse.ts";
import { demandOneEffect, HeardLog } from "./heard-log.ts";
import type { KillableStore } from "./killable-store.ts";
import { killRules, lease_ms, limit } from "./rules.ts";

const operator: Operator = { name: "olga", roles: [] };

/** What may happen next, as often as it is listed. */
const steps = [
  ...Array.from({ length: 4 }, () => "ask" as const),
  ...Array.from({ length: 16 }, () => "act" as const),
  ...Array.from({ length: 12 }, () => "flush" as const),
  ...Array.from({ length: 4 }, () => "vote" as const),
  ...Array.from({ length: 3 }, () => "recover" as const),
  ...Array.from({ length: 3 }, () => "pass" as const),
  "settle" as const,
  "settle" as const,
  "resolve" as const,
  "reconnect" as const,
  "give up" as const,
  "pass the lease" as const,
];

const clientsAtOnce = 3;
const killsAtMost = 3;

/** Clients, operators and a daemon that are killed where a seed says, over one store. Each step is over before the next. */
export class Schedule {
  readonly from: Seeded;
  readonly time: SimTime;
  readonly fuse: Fuse;
  readonly heard = new HeardLog();
  readonly calls: readonly ExactCall[];
  readonly rules: LoadedRules;
  /** All that both calls may pay together. */
  readonly limit: number | null;
  readonly attempts: Attempt[] = [];
  readonly #store: KillableStore;
  #daemon: DaemonLife | null = null;
  clients: ClientLife[] = [];
  /** Nobody is killed any more. */
  isEnding = false;
  #begun = 0;
  #kills = 0;

  /** @param first where it is killed first, so that each point has its share of schedules */
  constructor(seed: number, first: KillPoint, store: KillableStore, fuse: Fuse, start_ms: number) {
    this.from = new Seeded(seed);
    this.time = new SimTime(start_ms);
    this.fuse = fuse;
    this.#store = store;
    const customer_id = store.name;
    // 300 and 301 of 500: one of them fits, the other does not, until the first one has failed.
    this.calls = [300, 301].map((amount) => ({ args: { customer_id, amount }, effects: 0 }));
    const asks = this.from.chance(0.5) || first.startsWith("vote");
    // What has no limit and nobody to ask goes by the journal of an embedded store.
    this.limit = this.from.chance(0.5) ? limit : null;
    this.rules = killRules(asks, this.limit, this.from.pick([0, 2_000]));
    fuse.arm(first, this.from);
  }

  async run(count: number): Promise<void> {
    for (let step = 0; step < count; step++) {
      await this.#step(this.from.pick(steps));
      demandOneEffect(this.calls, this.limit);
    }
  }

  /** The daemon that serves; a new one where the last was killed. */
  async daemon(): Promise<DaemonLife> {
    while (this.#daemon === null || this.#daemon.isDead) {
      if (this.#daemon !== null) {
        this.#daemon.lookAgain();
        await this.#daemon.settled();
        await this.#store.bury();
        this.#daemon = null;
        this.#rearm();
        // Somebody has to notice, and start it again.
        this.time.pass(this.from.below(3_000));
      }
      this.#daemon = await DaemonLife.start(this.#store, this, this.time);
      for (const client of this.clients) client.connect(this.#daemon, this.time.now_ms());
      if (this.fuse.blowsAt("just started")) this.#daemon.die();
    }
    return this.#daemon;
  }

  #rearm(): void {
    if (!this.isEnding && !this.fuse.isArmed && ++this.#kills < killsAtMost && this.from.chance(0.5)) {
      this.fuse.arm(this.from.pick(killPoints), this.from);
    }
  }

  async #step(step: (typeof steps)[number]): Promise<void> {
    const daemon = await this.daemon();
    const client = this.#client(daemon);
    switch (step) {
      case "ask":
        this.ask(client);
        break;
      case "act":
        this.act(client);
        break;
      case "flush":
        await daemon.flush();
        break;
      case "vote":
        await this.#vote(daemon);
        break;
      case "recover":
        await orKilled(() => daemon.recover(this.rules.digest, this.time.now_ms()));
        break;
      case "settle":
        await orKilled(() => daemon.settle());
        break;
      case "pass":
        this.#pass(daemon, this.from.below(9_000));
        break;
      case "pass the lease":
        this.#pass(daemon, lease_ms);
        break;
      case "resolve":
        await this.#resolve(daemon);
        break;
      case "reconnect":
        client.connect(daemon, this.time.now_ms());
        break;
      case "give up":
        for (const attempt of client.attempts) if (attempt.stage === "asking") attempt.isGivenUp = true;
        break;
    }
    await daemon.settled();
  }

  #pass(daemon: DaemonLife, by_ms: number): void {
    this.time.pass(by_ms);
    daemon.lookAgain();
  }

  #client(daemon: DaemonLife): ClientLife {
    if (this.clients.length < clientsAtOnce && this.from.chance(0.2)) return this.newClient(daemon);
    return this.clients.length === 0 ? this.newClient(daemon) : this.from.pick(this.clients);
  }

  newClient(daemon: DaemonLife): ClientLife {
    const nonce = `${this.#store.name}-client-${++this.#begun}`.padEnd(24, "-");
    const client = new ClientLife(nonce, (heard) => this.#hears(client, heard));
    this.clients.push(client);
    client.connect(daemon, this.time.now_ms());
    return client;
  }

  ask(client: ClientLife, call = this.from.pick(this.calls)): Attempt {
    const call_id = `${this.#store.name}-call-${this.attempts.length + 1}`;
    const attempt = client.ask(call, call_id, this.time.now_ms());
    this.attempts.push(attempt);
    if (this.fuse.blowsAt("client: asked")) this.#kill(client);
    return attempt;
  }

  /** What a client does next with one of its attempts; a new one may go on with what a dead one was told. */
  act(client: ClientLife): void {
    const now_ms = this.time.now_ms();
    const mayWait = !this.isEnding;
    const own = client.attempts.filter(
      ({ stage }) => stage === "may run" || stage === "ran" || (mayWait && stage === "waiting"),
    );
    const left = this.attempts.filter(({ approval_id, stage }) => approval_id !== null && stage === "over");
    if (own.length === 0 && left.length > 0) {
      // It was told which approval the last one had, and resumes it again under the same call id.
      const { call, call_id, approval_id } = this.from.pick(left);
      const again: Attempt = { ...newAttempt(call, call_id), approval_id };
      this.attempts.push(again);
      client.resume(again, now_ms);
      return;
    }
    if (own.length === 0) return;
    const attempt = this.from.pick(own);
    if (attempt.stage === "waiting") client.resume(attempt, now_ms);
    else if (attempt.stage === "ran") this.#tellResult(client, attempt);
    else this.#runOne(client, attempt);
  }

  #runOne(client: ClientLife, attempt: Attempt): void {
    const how = this.from.below(10);
    if (this.fuse.blowsAt("client: may run")) this.#kill(client);
    else if (how < 2) client.tellOutcome(attempt, how === 0 ? "abandoned" : "failed", this.time.now_ms());
    else {
      attempt.call.effects++;
      attempt.ran = true;
      attempt.stage = "ran";
      if (this.fuse.blowsAt("client: ran")) this.#kill(client);
    }
  }

  #tellResult(client: ClientLife, attempt: Attempt): void {
    client.tellResult(attempt, this.time.now_ms());
    if (this.fuse.blowsAt("client: result sent")) this.#kill(client);
  }

  #kill(client: ClientLife): void {
    client.lose();
    this.clients = this.clients.filter((other) => other !== client);
    for (const attempt of client.attempts) attempt.stage = "over";
    this.#rearm();
  }

  #hears(client: ClientLife, heard: Heard): void {
    if (heard.attempt.stage === "telling" && this.fuse.blowsAt("client: result recorded, answer lost")) {
      this.#kill(client);
      return;
    }
    if (!this.clients.includes(client)) return;
    this.heard.hear(heard);
    const { attempt, decision } = heard;
    const { verdict, details } = decision;
    attempt.code = details?.code ?? null;
    if (attempt.stage === "telling") {
      attempt.stage = "over";
      attempt.isRecorded = attempt.ran && verdict === Verdict.ALLOW && details?.transaction_id !== null;
      return;
    }
    const mayRun = verdict === Verdict.ALLOW || verdict === Verdict.MODIFY;
    if (mayRun) attempt.transaction_id = details?.transaction_id ?? null;
    const waits = verdict === Verdict.ESCALATE;
    if (waits) attempt.approval_id = details?.approval_id ?? null;
    if (mayRun && attempt.isGivenUp) client.tellOutcome(attempt, "abandoned", this.time.now_ms());
    else attempt.stage = mayRun ? "may run" : waits ? "waiting" : "over";
  }

  async #vote(daemon: DaemonLife): Promise<void> {
    daemon.work = "vote";
    const scope = this.from.pick([{ kind: "once" }, { kind: "once" }, { kind: "exact" }] as const);
    const draw = this.from.below(1_000);
    const denies = this.from.chance(0.1);
    await orKilled(async () => {
      const pending = await daemon.ledger.reads.listApprovals({ status: "pending", limit: 20 });
      const own = pending.filter(({ call_id }) => call_id?.startsWith(this.#store.name));
      const row = own[draw % Math.max(1, own.length)];
      if (row === undefined) return;
      const { approval_id } = row;
      if (denies) await daemon.approvals.deny(operator, approval_id, null);
      else await daemon.approvals.grant(operator, { approval_id, scope, until_ms: null, note: null });
    });
  }

  /** An operator who knows what became of a call, and that nobody will run it any more. */
  async #resolve(daemon: DaemonLife): Promise<void> {
    daemon.work = "vote";
    await orKilled(async () => {
      const unknown = await daemon.ledger.reads.listTransactions({ status: "unknown", limit: 20 });
      for (const { transaction_id, call_id } of unknown) {
        const of = this.attempts.filter((attempt) => attempt.call_id === call_id);
        if (of.length === 0 || of.some(({ stage }) => stage !== "over")) continue;
        // Attempts of one call id share an approval: who of them ran is told by the transaction.
        const ran = of.some((attempt) => attempt.ran && attempt.transaction_id === transaction_id);
        await daemon.transactions.resolve(operator, transaction_id, ran ? "executed" : "failed");
      }
    });
  }
}

/** What is asked of a daemon that is killed meanwhile, or whose store is lost, fails. */
const orKilled = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof StoreFailed || error instanceof OperatorRefused)) throw error;
  }
};
