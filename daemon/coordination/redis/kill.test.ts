import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { newTransactionId } from "../../transactions/ids.ts";
import type { Coordination, Outcome } from "../coordination.ts";
import { type Deployment, deployment, intent, limit } from "./test-daemons.ts";

/** Where a daemon is killed, in the order of a call. `never`: the call goes through. */
const moments = ["entered", "authorized", "left", "ran", "executed", "never"] as const;
type Moment = (typeof moments)[number];

type Status = "authorized" | "executed";

/** A daemon with a store of its own, which is what is left of it when it is killed. */
class Daemon {
  readonly store = new Map<string, Status>();
  readonly #owner: string;
  readonly #shared: Deployment;
  #started: Promise<Coordination> | null = null;

  constructor(shared: Deployment, owner: string) {
    this.#shared = shared;
    this.#owner = owner;
  }

  /** What runs, or is started now. */
  start(): Promise<Coordination> {
    this.#started ??= (async () => {
      const coordination = await this.#shared.daemon(this.#owner);
      await coordination.recover((transaction_id) => this.#outcomeOf(transaction_id));
      return coordination;
    })();
    return this.#started;
  }

  /** Whether it still is the one that was started then. */
  runs(started: Promise<Coordination>): boolean {
    return this.#started === started;
  }

  /** What it had sent is carried out; what it would have said next is never said. */
  kill(): void {
    this.#started = null;
  }

  #outcomeOf(transaction_id: string): Outcome | "authorized" | null {
    const status = this.store.get(transaction_id);
    return status === "executed" ? { kind: "executed", result: "1" } : (status ?? null);
  }
}

let shared: Deployment;
beforeAll(async () => {
  shared = await deployment();
});

let run = 0;

interface Submission {
  readonly daemon: number;
  readonly key: number;
  readonly killedAt: Moment;
}

const play = async (rounds: readonly (readonly Submission[])[]): Promise<void> => {
  const place = `kill run ${run++}`;
  const daemons = ["one", "other", "third"].map((name) => new Daemon(shared, `${place} ${name}`));
  const executions = new Map<string, number>();
  const limits = [limit(`${place} budget`, 4, 1)];

  const submit = async ({ daemon: number, key: keyNumber, killedAt }: Submission): Promise<void> => {
    const daemon = daemons[number] as Daemon;
    const started = daemon.start();
    const coordination = await started;
    const key = `${place} key ${keyNumber}`;
    const transaction_id = newTransactionId();
    const entry = await coordination.enter(intent(key, { transaction_id, limits }));
    const isDead = (moment: Moment): boolean => {
      if (killedAt === moment && daemon.runs(started)) daemon.kill();
      return !daemon.runs(started);
    };
    if (isDead("entered") || entry.kind !== "entered") return;
    daemon.store.set(transaction_id, "authorized");
    if (isDead("authorized")) return;
    coordination.leave(entry.ticket, { kind: "authorized", transaction_id, approval_id: null });
    if (isDead("left")) return;
    executions.set(key, (executions.get(key) ?? 0) + 1);
    await new Promise(setImmediate);
    if (isDead("ran")) return;
    daemon.store.set(transaction_id, "executed");
    if (isDead("executed")) return;
    coordination.closed(transaction_id, { kind: "executed", result: "1" });
  };

  for (const round of rounds) await Promise.all(round.map(submit));
  const [one] = await Promise.all(daemons.map((daemon) => daemon.start()));

  for (const [key, times] of executions) expect(times, key).toBe(1);
  expect([...executions.values()].reduce((sum, times) => sum + times, 0)).toBeLessThanOrEqual(4);
  const authorized = new Set(daemons.flatMap(({ store }) => [...store.keys()]));
  // What no store knows is held by nobody, once those who held it were started again.
  for (const key of new Set(rounds.flat().map(({ key }) => `${place} key ${key}`))) {
    await expect
      .poll(async () => {
        const entry = await one?.enter(intent(key));
        if (entry?.kind !== "refused") return entry?.kind;
        return "transaction_id" in entry.settled && authorized.has(entry.settled.transaction_id) ? "entered" : entry;
      })
      .toBe("entered");
  }
};

const submission = fc.record({
  daemon: fc.nat({ max: 2 }),
  key: fc.nat({ max: 2 }),
  killedAt: fc.constantFrom(...moments),
});

test("daemons that are killed at any step of a call: nothing runs twice, no budget is exceeded, and what was never authorized is free again", async () => {
  const rounds = fc.array(fc.array(submission, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });
  await fc.assert(fc.asyncProperty(rounds, play), { numRuns: 100 });
}, 120_000);
