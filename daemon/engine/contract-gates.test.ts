import { describe, expect, test } from "vitest";
import { allow, block, escalate, rewrite } from "../../rules/answers.ts";
import { allFeatures } from "../../wire/features.ts";
import type { WireObject } from "../../wire/value.ts";
import { Verdict } from "../../wire/verdict.ts";
import type { ParsedArgs, ToolContract } from "../contracts/contract.ts";
import { noPolicies } from "../contracts/none.ts";
import type { ApprovalNeed, Policies, PolicyCall, PolicyFinding } from "../contracts/policy.ts";
import type { Judgement } from "./judgement.ts";
import { loadedRules, ManualTime, type Put, putTo, type Ruling, rule } from "./judging.testkit.ts";
import { indexRules } from "./rule-index.ts";
import { settledJudgement } from "./settled-judgement.ts";

/** A refund whose amount is a whole number; `note` is filled in. */
const refund = (changes: Partial<ToolContract> = {}): ToolContract => ({
  name: "refund",
  ruleSet: "set",
  effect: "write",
  idempotency: { by: "arguments", paths: [], scope: "principal", window_ms: 60_000, wait_ms: 500 },
  lease_ms: 30_000,
  redact: [],
  inputSchema: {},
  deadline_ms: 250,
  parse: (args: WireObject): ParsedArgs =>
    typeof args.amount === "number"
      ? { ok: true, args: { note: "", ...args } }
      : { ok: false, errors: [{ loc: "amount", msg: "must be a number", type: "invalid_type" }] },
  check: null,
  ...changes,
});

const finding = (changes: Partial<PolicyFinding> = {}): PolicyFinding => ({
  answer: "ALLOW",
  denial: null,
  needs: [],
  limits: [],
  said: [],
  ...changes,
});

const policies = (judge: (call: PolicyCall) => PolicyFinding, tenants: Record<string, string> = {}): Policies => ({
  covers: () => true,
  judge,
  principal: (name) => ({ isNamed: true, roles: [], tenant: tenants[name ?? ""] ?? null }),
});

interface Setting extends Omit<Put, "state"> {
  readonly contract?: ToolContract;
  readonly policies?: Policies;
  readonly rules?: readonly Ruling[];
  readonly suspended?: readonly string[];
  readonly look?: (key: string) => "executed" | "held" | null;
}

const put = (args: WireObject, setting: Setting = {}): Judgement | Promise<Judgement> => {
  const loaded = loadedRules((setting.rules ?? []).map((ruling, at) => rule(`r${at}`, ruling)));
  const tools = [setting.contract ?? refund()];
  const withTools = {
    ...loaded,
    sets: loaded.sets.map((set) => ({ ...set, tools })),
    policies: setting.policies ?? noPolicies,
  };
  return putTo([], {
    ...setting,
    args,
    event: { action: "refund", principal: "agent", call_id: "c1", ...setting.event },
    state: {
      index: indexRules(withTools, 0),
      unknown: "block",
      suspended: new Set(setting.suspended ?? []),
      transactions: {
        keys: Object.fromEntries(
          ["fingerprint", "claim", "counter", "member", "shape"].map((purpose) => [
            purpose,
            (value: unknown) => `${purpose} ${JSON.stringify(value)}`,
          ]),
        ) as never,
        newTransactionId: () => "tx_1",
        look: setting.look ?? (() => null),
      },
    },
  });
};

const now = (args: WireObject, setting?: Setting): Judgement => {
  const judgement = put(args, setting);
  if (judgement instanceof Promise) throw new Error("answered later");
  return judgement;
};

const shapesIn = ({ transaction }: Judgement): unknown => transaction?.plan.kind === "ask" && transaction.plan.shapes;

const trace = (judged: Judgement): string[] =>
  (JSON.parse(judged.traceJson) as string[]).map((entry) => entry.replace(/;us=\d+/, ";us"));

describe("a call that has a contract", () => {
  test("passes every gate in order, each with its time, and is to be authorized", () => {
    const judged = now({ amount: 5, note: "x" });
    expect(judged).toMatchObject({ verdict: Verdict.ALLOW, code: "allowed" });
    expect(trace(judged)).toEqual([
      "identity:SKIP",
      "quarantine:SKIP",
      "idempotency:ALLOW;us",
      "evidence:ALLOW;us",
      "policy:SKIP",
      "rules:SKIP",
      "approval:SKIP",
    ]);
    expect(judged.transaction).toMatchObject({
      wait_ms: 500,
      plan: {
        kind: "authorize",
        resume: null,
        intent: {
          transaction_id: "tx_1",
          call_id: "c1",
          action: "refund",
          principal: "agent",
          effect: "write",
          lease_ms: 30_000,
          claim: { window_ms: 60_000 },
          limits: [],
        },
      },
    });
  });

  test("is told in the fields that do not satisfy it, and is a blocked transaction", () => {
    const judged = now({ amount: "9999" }, { rules: [() => allow()] });
    expect(judged).toMatchObject({
      verdict: Verdict.BLOCK,
      code: "evidence_failed",
      attributed_to: "amount",
      reason: "the arguments do not satisfy the contract of refund: amount: must be a number",
      errors: [{ loc: "amount", msg: "must be a number", type: "invalid_type" }],
      transaction: { plan: { kind: "refuse", code: "evidence_failed" } },
    });
    expect(trace(judged)).toEqual(["identity:SKIP", "quarantine:SKIP", "evidence:DENY;us"]);
  });

  test("runs as the contract reads it: what was left out is filled in, for rules, for its fingerprint, and for the client", () => {
    const seen: WireObject[] = [];
    const judged = now(
      { amount: 5 },
      {
        rules: [
          ({ args }) => {
            seen.push(args);
            return undefined;
          },
        ],
      },
    );
    expect(seen).toEqual([{ note: "", amount: 5 }]);
    expect(judged).toMatchObject({ verdict: Verdict.MODIFY, code: "rewritten", modified_args: { note: "" } });
    const whole = now({ amount: 5, note: "" }).transaction?.plan as never as { intent: { fingerprint: string } };
    expect(judged.transaction?.plan).toMatchObject({ intent: { fingerprint: whole.intent.fingerprint } });
  });

  test("is judged again by it after a rewrite, and is known by what will run", () => {
    const halve: Ruling = ({ args }) => (args.amount === 10 ? rewrite({ amount: 5 }, { reason: "half" }) : undefined);
    const judged = now({ amount: 10, note: "" }, { rules: [halve] });
    expect(judged).toMatchObject({ verdict: Verdict.MODIFY, modified_args: { amount: 5 } });
    expect(judged.transaction?.plan).toEqual(now({ amount: 5, note: "" }).transaction?.plan);
    const spoil: Ruling = ({ args }) => (args.amount === 10 ? rewrite({ amount: "5" }, { reason: "x" }) : undefined);
    expect(now({ amount: 10 }, { rules: [spoil] })).toMatchObject({ code: "evidence_failed" });
  });

  test("is no unknown one, whatever `unknown` says; an action that only a policy is about still is", () => {
    expect(now({ amount: 5, note: "" }).verdict).toBe(Verdict.ALLOW);
    const other = now(
      {},
      { event: { action: "other" }, policies: policies(() => finding({ said: [["limit", "ALLOW"]] })) },
    );
    expect(other).toMatchObject({ verdict: Verdict.BLOCK, code: "unknown_blocked", transaction: null });
  });

  test("that ran before is looked at, and is no ALLOW of idempotency; what is done is decided when it is settled", () => {
    const judged = now({ amount: 5, note: "" }, { look: () => "executed" });
    expect(trace(judged)).toContain("idempotency:SKIP;us");
    expect(judged.verdict).toBe(Verdict.ALLOW);
  });

  test("whose contract throws, or is suspended, is blocked by its name and not by its message", () => {
    const throwing = refund({
      parse: () => {
        throw new RangeError("secret 4111");
      },
    });
    expect(now({ amount: 5 }, { contract: throwing })).toMatchObject({
      code: "evidence_threw",
      reason: "the contract of refund failed: RangeError",
    });
    expect(now({ amount: 5 }, { suspended: ["contract:refund"] })).toMatchObject({ code: "rule_suspended" });
  });

  test("whose contract takes longer than it may is blocked", () => {
    const time = new ManualTime();
    const slow = refund({
      parse: (args) => {
        time.pass(251);
        return { ok: true, args };
      },
    });
    expect(now({ amount: 5 }, { contract: slow, time })).toMatchObject({
      code: "evidence_threw",
      reason: "the contract of refund ran past its deadline of 250 ms",
    });
  });

  test("is watched under a number of its own while its contract reads it", () => {
    const entered: number[] = [];
    now({ amount: 5, note: "" }, { entered, rules: [() => undefined] });
    expect(entered).toEqual([1, 0]);
  });
});

describe("facts", () => {
  const seen = [{ resolver: "orders", digest: "ab", age_ms: 12.4 }];

  test("that agree let it pass, and what was seen is in the trace by its digest", async () => {
    const judged = await put(
      { amount: 5, note: "" },
      { contract: refund({ check: async () => ({ ok: true, seen }) }) },
    );
    expect(judged.verdict).toBe(Verdict.ALLOW);
    expect(trace(judged)).toContain("evidence/orders:SEEN;sha256=ab;age_ms=12");
  });

  test("that contradict it block it", async () => {
    const check = async () => ({
      ok: false as const,
      seen,
      reason: "the order is another's",
      attributedTo: "order_id",
    });
    const judged = await put({ amount: 5 }, { contract: refund({ check }) });
    expect(judged).toMatchObject({ code: "fact_failed", attributed_to: "order_id", verdict: Verdict.BLOCK });
  });

  test.each<[string, ToolContract["check"], string]>([
    [
      "that cannot be had",
      () => Promise.reject(new TypeError("secret")),
      "a resolver of the contract of refund failed: TypeError",
    ],
    [
      "that are not even asked for",
      () => {
        throw new RangeError("secret");
      },
      "a resolver of the contract of refund failed: RangeError",
    ],
  ])("%s block it", async (_what, check, reason) => {
    const judged = await put({ amount: 5 }, { contract: refund({ check }) });
    expect(judged).toMatchObject({ verdict: Verdict.BLOCK, code: "evidence_threw", reason });
  });

  test("that come too late block it", async () => {
    const time = new ManualTime();
    const judging = put({ amount: 5 }, { contract: refund({ check: () => new Promise(() => undefined) }), time });
    time.pass(251);
    expect(await judging).toMatchObject({ code: "evidence_threw", verdict: Verdict.BLOCK });
  });
});

describe("policies", () => {
  test("that deny outrank a rule that allows and one that asks", () => {
    const denial = { policyId: "refund.ceiling", reason: "too much", attributedTo: "amount" };
    const judged = now(
      { amount: 5 },
      {
        policies: policies(() => finding({ answer: "DENY", denial, said: [["refund.ceiling", "DENY"]] })),
        rules: [() => allow(), () => escalate("?")],
      },
    );
    expect(judged).toMatchObject({ code: "policy_denied", policy_id: "refund.ceiling", attributed_to: "amount" });
    expect(trace(judged).slice(-2)).toEqual(["policy/refund.ceiling:DENY", "policy:DENY;us"]);
  });

  const need = (by: "client" | "operator"): ApprovalNeed => ({
    policyId: "refund.large",
    reason: "a large refund",
    attributedTo: "amount",
    by,
    roles: ["finance"],
    count: 2,
    expires_ms: 1000,
    scopes: [{ kind: "once" }, { kind: "shape", paths: ["order_id"] }],
  });

  test("that ask make a request that holds what will run, and a granted one is an ALLOW", () => {
    const asking = policies(() => finding({ answer: "REQUIRE_APPROVAL", needs: [need("operator")] }));
    const judged = now({ amount: 5, note: "", order_id: "o" }, { policies: asking });
    expect(judged).toMatchObject({
      verdict: Verdict.ESCALATE,
      code: "escalated_operator",
      reason: "a large refund",
      transaction: {
        granted: { verdict: Verdict.ALLOW, code: "allowed" },
        plan: {
          kind: "ask",
          needs: [need("operator")],
          shown:
            '{"action":"refund","args":{"amount":5,"note":"","order_id":"o"},"parent_principal":null,"principal":"agent","redact":[]}',
        },
      },
    });
    const other = now({ amount: 7, note: "", order_id: "o" }, { policies: asking });
    expect(shapesIn(other)).toEqual(shapesIn(judged));
  });

  test("an operator's need stands alone beside a client's; a client's own on a contract is a request too", () => {
    const both = policies(() => finding({ answer: "REQUIRE_APPROVAL", needs: [need("client"), need("operator")] }));
    expect(now({ amount: 5 }, { policies: both }).transaction?.plan).toMatchObject({ needs: [need("operator")] });
    const judged = now({ amount: 5 }, { rules: [() => escalate("sure?")] });
    expect(judged).toMatchObject({
      code: "escalated",
      transaction: { plan: { kind: "ask", needs: [{ by: "client" }] } },
    });
  });

  test("nobody is asked about a number that could not be sent back; without a yes to be given it runs", () => {
    const asking = policies(() => finding({ answer: "REQUIRE_APPROVAL", needs: [need("operator")] }));
    expect(now({ amount: 1e30, note: "" }, { policies: asking })).toMatchObject({
      verdict: Verdict.BLOCK,
      code: "evidence_failed",
      transaction: { plan: { kind: "refuse" } },
    });
    expect(now({ amount: 1e30, note: "" })).toMatchObject({ verdict: Verdict.ALLOW, code: "allowed" });
  });

  test("a rule that blocks after them is what is told", () => {
    const asking = policies(() => finding({ answer: "REQUIRE_APPROVAL", needs: [need("operator")] }));
    expect(now({ amount: 5 }, { policies: asking, rules: [() => block("no")] })).toMatchObject({
      code: "rule_blocked",
    });
  });

  test("limits are hashed into counters, and make a transaction of a call that has no contract", () => {
    const limit = {
      policyId: "rate",
      reason: "too many",
      attributedTo: null,
      counter: ["rate", "agent"],
      window_ms: 1000,
      max: 3,
      amount: 1,
    };
    const counted = { ...limit, distinct: null };
    const spreading = { ...limit, policyId: "hosts", distinct: ["a.example", "b.example", "a.example"] };
    const limiting = policies(() => finding({ limits: [counted, spreading] }));
    const judged = now({}, { event: { action: "search" }, policies: limiting, rules: [() => allow()] });
    const counter = 'counter ["rate","agent"]';
    expect(judged.transaction?.plan).toMatchObject({
      kind: "authorize",
      intent: {
        claim: null,
        limits: [
          { ...limit, counter, members: null },
          {
            ...limit,
            policyId: "hosts",
            counter,
            members: ["a.example", "b.example"].map((host) => `member ${JSON.stringify([counter, host])}`),
          },
        ],
      },
    });
  });
});

test("a limit that is taken answers nobody's question: what a rule asks the client stays asked", () => {
  const limit = {
    policyId: "rate",
    reason: "too many",
    attributedTo: null,
    counter: ["rate"],
    window_ms: 1000,
    max: 3,
    amount: 1,
    distinct: null,
  };
  const limiting = policies(() => finding({ limits: [limit] }));
  const judged = now({}, { event: { action: "search" }, policies: limiting, rules: [() => escalate("is it meant?")] });
  expect(judged).toMatchObject({ verdict: Verdict.ESCALATE, transaction: { plan: { kind: "authorize" } } });
  const settled = { kind: "authorized", transaction_id: "tx_1", approval_id: null } as const;
  expect(settledJudgement(judged, settled, allFeatures).judged).toMatchObject({
    verdict: Verdict.ESCALATE,
    code: "escalated",
    reason: "is it meant?",
  });
});

describe("what makes two calls one", () => {
  const claim = (args: WireObject, idempotency: Partial<ToolContract["idempotency"]>, setting: Setting = {}) => {
    const contract = refund({ idempotency: { ...refund().idempotency, ...idempotency } });
    const { plan } = now({ amount: 5, note: "", ...args }, { contract, ...setting }).transaction as { plan: object };
    return (plan as { intent: { claim: { key: string; content: string } | null } }).intent.claim;
  };

  test("all arguments, in any order", () => {
    expect(claim({ a: 1, b: 2 }, {})?.key).toBe(claim({ a: 1, b: 2 }, {})?.key);
    expect(claim({ a: 1 }, {})?.key).not.toBe(claim({ a: 2 }, {})?.key);
  });

  test("the caller's key, whose content has to be the same; without one, all arguments", () => {
    const byKey = { by: "key", paths: ["key"] } as const;
    const [one, two] = [claim({ key: "k", a: 1 }, byKey), claim({ key: "k", a: 2 }, byKey)];
    expect(one?.key).toBe(two?.key);
    expect(one?.content).not.toBe(two?.content);
    expect(claim({ a: 1 }, byKey)?.key).not.toBe(claim({ a: 2 }, byKey)?.key);
  });

  test("chosen fields, whatever the others say; a missing one is not a null", () => {
    const byFields = { by: "fields", paths: ["order_id"] } as const;
    expect(claim({ order_id: "o", retry_id: 1 }, byFields)).toEqual(claim({ order_id: "o", retry_id: 2 }, byFields));
    expect(claim({ order_id: null }, byFields)?.key).not.toBe(claim({}, byFields)?.key);
  });

  test("nothing, where the contract says so", () => {
    expect(claim({}, { by: "off" })).toBeNull();
  });

  test("within a principal, a tenant that the signed data names, or everybody", () => {
    const of = (principal: string, scope: "principal" | "tenant" | "global", tenants = {}) =>
      claim({}, { scope }, { event: { principal }, policies: policies(() => finding(), tenants) })?.key;
    expect(of("a", "principal")).not.toBe(of("b", "principal"));
    expect(of("a", "tenant", { a: "t", b: "t" })).toBe(of("b", "tenant", { a: "t", b: "t" }));
    expect(of("a", "tenant", { a: "t" })).not.toBe(of("b", "tenant", { a: "t" }));
    expect(of("a", "tenant")).not.toBe(of("b", "tenant"));
    expect(of("a", "global")).toBe(of("b", "global"));
  });
});
