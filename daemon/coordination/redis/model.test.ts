import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Effect } from "../../contracts/contract.ts";
import type { Intent } from "../../transactions/plan.ts";
import type { Coordination, Entry } from "../coordination.ts";
import { type Deployment, deployment, intent, limit } from "./test-daemons.ts";

/** What claims and limits promise, written down once more as plainly as can be. */
interface Model {
  readonly claims: Map<
    string,
    { state: "held" | "executed" | "unknown"; tx: string; content: string; result: string | null }
  >;
  readonly spent: Map<string, Map<string, number>>;
  /** Calls that entered, in order, with how they stand. */
  readonly calls: { readonly call: Intent; stands: "entered" | "authorized" | "unknown" | "over" }[];
}

const spentOn = (model: Model, counter: string): number =>
  [...(model.spent.get(counter)?.values() ?? [])].reduce((sum, amount) => sum + amount, 0);

const expected = (model: Model, call: Intent): string => {
  const held = call.claim === null ? undefined : model.claims.get(call.claim.key);
  if (held !== undefined) {
    if (held.content !== call.claim?.content) return `key_reused ${held.tx}`;
    if (held.state === "held") return `in_flight ${held.tx}`;
    if (held.state === "executed") return `replay ${held.tx} ${held.result}`;
    if (call.effect === "write") return `outcome_unknown ${held.tx}`;
  }
  const over = call.limits.find(({ counter, max, amount }) => spentOn(model, counter) + amount > max);
  return over === undefined ? "entered" : `limit_exceeded ${over.policyId}`;
};

const said = (entry: Entry): string => {
  if (entry.kind !== "refused") return entry.kind;
  const { settled } = entry;
  if (settled.kind === "limit_exceeded") return `${settled.kind} ${settled.policyId}`;
  return settled.kind === "replay"
    ? `replay ${settled.transaction_id} ${settled.result}`
    : `${settled.kind} ${settled.transaction_id}`;
};

const take = (model: Model, call: Intent): void => {
  if (call.claim !== null) {
    const { key, content } = call.claim;
    model.claims.set(key, { state: "held", tx: call.transaction_id, content, result: null });
  }
  for (const { counter, amount } of call.limits) {
    const spent = model.spent.get(counter) ?? new Map<string, number>();
    model.spent.set(counter, spent.set(call.transaction_id, amount));
  }
  model.calls.push({ call, stands: "entered" });
};

const end = (model: Model, call: Intent, how: "released" | "executed" | "unknown", result: string | null): void => {
  const held = call.claim === null ? undefined : model.claims.get(call.claim.key);
  const isHolder = held?.tx === call.transaction_id;
  if (how === "released") {
    if (call.claim !== null && isHolder) model.claims.delete(call.claim.key);
    // A holder that another one replaced is forgotten: what it may have spent stays spent.
    if (call.claim === null || isHolder) for (const spent of model.spent.values()) spent.delete(call.transaction_id);
  } else if (isHolder && held !== undefined) {
    held.state = how;
    held.result = how === "executed" ? result : null;
  }
};

type Step =
  | {
      readonly do: "enter";
      readonly daemon: number;
      readonly key: number;
      readonly content: number;
      readonly effect: Effect;
      readonly amounts: readonly number[];
    }
  | { readonly do: "leave" | "executed" | "released" | "unknown"; readonly daemon: number; readonly which: number };

const daemonNumber = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("enter" as const),
    daemon: daemonNumber,
    key: fc.nat({ max: 3 }),
    content: fc.nat({ max: 1 }),
    effect: fc.constantFrom<Effect>("write", "read", "idempotent"),
    amounts: fc.array(fc.constantFrom(0, 1, 2.5, 7), { maxLength: 2 }),
  }),
  fc.record({
    do: fc.constantFrom("leave" as const, "executed" as const, "released" as const, "unknown" as const),
    daemon: daemonNumber,
    which: fc.nat({ max: 5 }),
  }),
);

let shared: Deployment;
let daemons: readonly Coordination[];
beforeAll(async () => {
  shared = await deployment();
  daemons = await Promise.all(["one", "other", "third"].map((owner) => shared.daemon(owner)));
});

let run = 0;

const play = async (steps: readonly Step[]): Promise<void> => {
  const model: Model = { claims: new Map(), spent: new Map(), calls: [] };
  const place = `run ${run++}`;
  const heard = () =>
    Promise.all(daemons.map((daemon) => daemon.enter(intent(null, { limits: [limit(`${place} heard`, 1e9, 0)] }))));
  for (const now of steps) {
    const daemon = daemons[now.daemon] as Coordination;
    if (now.do === "enter") {
      // One of four has no claim at all.
      const key = now.key === 3 ? null : `${place} key ${now.key}`;
      const call = intent(key, {
        effect: now.effect,
        claim: key === null ? null : { key, content: `content ${now.content}`, window_ms: 60_000 },
        limits: now.amounts.map((amount, i) => limit(`${place} counter ${i}`, 10, amount)),
      });
      const should = expected(model, call);
      expect(said(await daemon.enter(call))).toBe(should);
      if (should === "entered") take(model, call);
      continue;
    }
    const entered = model.calls.filter(({ stands }) => stands !== "over").at(now.which);
    if (entered === undefined) continue;
    const { call } = entered;
    const { transaction_id } = call;
    if (now.do === "leave") {
      if (entered.stands !== "entered") continue;
      daemon.leave({ transaction_id, claim_key: call.claim?.key ?? null }, null);
      end(model, call, "released", null);
      entered.stands = "over";
    } else {
      const result = `"${transaction_id}"`;
      if (now.do === "executed") daemon.closed(transaction_id, { kind: "executed", result });
      else daemon.closed(transaction_id, { kind: now.do });
      end(model, call, now.do, result);
      entered.stands = now.do === "unknown" && call.claim !== null ? "unknown" : "over";
    }
    // What a daemon tells is heard in order; the others are on connections of their own.
    await heard();
  }
};

test("three daemons that enter, leave and end calls in any order see what one table of claims and limits would", async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), play), { numRuns: 150 });
});
