import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allow, block, escalate, remove, rewrite, rewriteResult } from "../../rules/index.ts";
import { Verdict } from "../../wire/verdict.ts";
import { judged, ManualTime, putTo, type Ruling, rule } from "./judging.testkit.ts";
import { withheld } from "./reason.ts";

const silent: Ruling = () => undefined;
const trace = (json: string): string[] => JSON.parse(json) as string[];

describe("the pipeline halts on the first DENY", () => {
  test("a later rule does not run, and the block has one cause", () => {
    const entered: number[] = [];
    const answer = judged(
      [rule("a", silent), rule("b", () => block("no", { attributedTo: "path" })), rule("c", () => block("never"))],
      { entered },
    );
    expect(answer).toMatchObject({
      verdict: Verdict.BLOCK,
      code: "rule_blocked",
      reason: "no",
      policy_id: "b",
      attributed_to: "path",
    });
    expect(entered).toEqual([0, 1]);
    expect(trace(answer.traceJson)).toEqual(["identity:SKIP", "rules/a:SKIP", "rules/b:DENY", "rules:DENY"]);
  });

  test("a block beats an escalation asked for before it", () => {
    expect(judged([rule("a", () => escalate("ask")), rule("b", () => block("no"))]).verdict).toBe(Verdict.BLOCK);
  });

  test("a rule that throws is a DENY that names it and the error's type, never its message", () => {
    const answer = judged(
      [
        rule("a", ({ args }) => {
          throw new RangeError(`secret ${String(args.token)}`);
        }),
      ],
      { args: { token: "hunter2-hunter2" } },
    );
    expect(answer).toMatchObject({ verdict: Verdict.BLOCK, code: "rule_threw", policy_id: "a" });
    expect(answer.reason).toBe("rule a failed, denied fail-closed: RangeError");
  });

  test("a rule that throws something whose getters throw is a DENY", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("x");
        },
      },
    );
    expect(
      judged([
        rule("a", () => {
          throw hostile;
        }),
      ]).code,
    ).toBe("rule_threw");
  });

  for (const [name, answer] of [
    ["a misspelt kind", { kind: "alow", reason: "" }],
    ["null", null],
    ["true", true],
    ["a verdict number", 0],
    ["a block without a reason", { kind: "block", attributedTo: null }],
    ["a rewrite to a list", { kind: "rewrite", args: ["x"], reason: "", attributedTo: null }],
    ["an escalation to nobody", { kind: "escalate", reason: "", attributedTo: null, by: "anyone" }],
  ] as const) {
    test(`${name} is not an answer, and blocks`, () => {
      expect(judged([rule("a", (() => answer) as unknown as Ruling)])).toMatchObject({
        verdict: Verdict.BLOCK,
        code: "rule_threw",
        reason: "rule a failed, denied fail-closed: NotAnAnswer",
      });
    });
  }
});

describe("SKIP is not ALLOW", () => {
  test("when nobody spoke the trace says SKIP for everybody", () => {
    const answer = judged([rule("a", silent)]);
    expect(trace(answer.traceJson)).toEqual(["identity:SKIP", "rules/a:SKIP", "rules:SKIP", "approval:SKIP"]);
    expect(answer).toMatchObject({ verdict: Verdict.ALLOW, code: "unknown_allowed" });
  });

  test("a rule that is satisfied says ALLOW", () => {
    const answer = judged([rule("a", () => allow())], { state: { unknown: "block" } });
    expect(answer).toMatchObject({ verdict: Verdict.ALLOW, code: "allowed" });
    expect(trace(answer.traceJson)).toContain("rules:ALLOW");
  });

  test.each([
    ["allow", Verdict.ALLOW, "unknown_allowed"],
    ["escalate", Verdict.ESCALATE, "unknown_escalated"],
    ["block", Verdict.BLOCK, "unknown_blocked"],
  ] as const)("unknown: %s decides a call about which all were silent", (unknown, verdict, code) => {
    expect(judged([rule("a", silent)], { state: { unknown } })).toMatchObject({ verdict, code });
    expect(judged([], { state: { unknown } })).toMatchObject({ verdict, code });
  });

  test("a result about which all were silent is delivered whatever `unknown` says", () => {
    expect(judged([], { state: { unknown: "block" }, event: { phase: "result" } }).verdict).toBe(Verdict.ALLOW);
  });
});

describe("rewrites compose, and what is judged is what will run", () => {
  test("a later rule sees the rewritten call", () => {
    const answer = judged(
      [
        rule("clean", ({ args }) => (args.command === "ls" ? rewrite({ command: "rm -rf /" }) : undefined)),
        rule("guard", ({ args }) => (args.command === "rm -rf /" ? block("destructive") : undefined)),
      ],
      { args: { command: "ls" } },
    );
    expect(answer).toMatchObject({ verdict: Verdict.BLOCK, policy_id: "guard" });
  });

  test("an earlier rule judges a later rule's rewrite too", () => {
    const answer = judged(
      [
        rule("guard", ({ args }) => (args.path === "/etc/hosts" ? block("no") : undefined)),
        rule("mover", ({ args }) => (args.path === "/tmp/x" ? rewrite({ path: "/etc/hosts" }) : undefined)),
      ],
      { args: { path: "/tmp/x" } },
    );
    expect(answer).toMatchObject({ verdict: Verdict.BLOCK, policy_id: "guard" });
    expect(trace(answer.traceJson)).toContain("pass:2");
  });

  test("two rewrites are both in what is sent, and only what changed is", () => {
    const answer = judged(
      [
        rule("a", ({ args }) => (args.a === 1 ? rewrite({ a: 2 }, { reason: "first" }) : undefined)),
        rule("b", ({ args }) =>
          args.b === 1 ? rewrite({ b: 2 }, { reason: "second", attributedTo: "b" }) : undefined,
        ),
      ],
      { args: { a: 1, b: 1, c: 1 } },
    );
    expect(answer).toMatchObject({
      verdict: Verdict.MODIFY,
      modified_args: { a: 2, b: 2 },
      reason: "second",
      policy_id: "b",
      attributed_to: "b",
    });
  });

  test("the order of a rewriting and a silent rule does not matter", () => {
    const modifier = rule("m", ({ args }) => (args.x === 1 ? rewrite({ x: 2 }) : undefined));
    const other = rule("s", silent);
    const args = { x: 1 };
    expect(judged([modifier, other], { args }).modified_args).toEqual(
      judged([other, modifier], { args }).modified_args,
    );
  });

  test("rewrites that still change the call in the third pass block it", () => {
    const answer = judged([rule("counter", ({ args }) => rewrite({ n: (args.n as number) + 1 }))], { args: { n: 0 } });
    expect(answer).toMatchObject({ verdict: Verdict.BLOCK, code: "rewrite_unsettled", policy_id: "counter" });
  });

  test("two rules that undo each other block, though each pass ends where it began", () => {
    const answer = judged(
      [
        rule("a", ({ args }) => (args.x === 1 ? rewrite({ x: 2 }) : undefined)),
        rule("b", ({ args }) => (args.x === 2 ? rewrite({ x: 1 }) : undefined)),
      ],
      { args: { x: 1 } },
    );
    expect(answer.code).toBe("rewrite_unsettled");
  });

  test("an escalation carries the composed arguments", () => {
    const answer = judged(
      [
        rule("a", ({ args }) => (args.x === "x" ? rewrite({ x: "y" }) : undefined)),
        rule("b", () => escalate("a person decides")),
      ],
      { args: { x: "x" } },
    );
    expect(answer).toMatchObject({ verdict: Verdict.ESCALATE, code: "escalated", modified_args: { x: "y" } });
  });

  test("only what the settled call still asks for is escalated", () => {
    const answer = judged(
      [
        rule("ask", ({ args }) => (args.path === "/etc/x" ? escalate("etc") : undefined)),
        rule("move", ({ args }) => (args.path === "/etc/x" ? rewrite({ path: "/tmp/x" }) : undefined)),
      ],
      { args: { path: "/etc/x" } },
    );
    expect(answer).toMatchObject({ verdict: Verdict.MODIFY, modified_args: { path: "/tmp/x" } });
  });

  test("taking an argument away needs a client that can, and then sends the whole arguments", () => {
    const rules = [rule("strip", ({ args }) => ("token" in args ? rewrite({ token: remove }) : undefined))];
    const args = { token: "t", keep: 1 };
    expect(judged(rules, { args })).toMatchObject({ verdict: Verdict.BLOCK, code: "rewrite_removes_key" });
    expect(judged(rules, { args, canReplaceArgs: true })).toMatchObject({
      verdict: Verdict.MODIFY,
      modified_args: { keep: 1 },
    });
  });

  test("an own __proto__ argument is an argument", () => {
    const args = JSON.parse('{"__proto__":{"a":1},"x":1}') as Record<string, never>;
    const answer = judged([rule("a", (event) => (event.args.x === 1 ? rewrite({ x: 2 }) : undefined))], {
      args,
      canReplaceArgs: true,
    });
    expect(JSON.stringify(answer.modified_args)).toBe('{"__proto__":{"a":1},"x":2}');
  });

  test.each([
    ["undefined", undefined],
    ["NaN", Number.NaN],
    ["a Date", new Date(0)],
    ["a bigint", 1n],
    [
      "a cycle",
      (() => {
        const a: unknown[] = [];
        a.push(a);
        return a;
      })(),
    ],
  ])("a rewrite to %s has no JSON form, and blocks", (_name, value) => {
    expect(judged([rule("a", () => rewrite({ x: value }))])).toMatchObject({
      verdict: Verdict.BLOCK,
      code: "unrepresentable",
    });
  });

  test("bytes in a rewrite reach later rules and the answer as bytes", () => {
    const answer = judged(
      [rule("a", ({ args }) => (args.data === 1 ? rewrite({ data: Uint8Array.of(0, 1, 255) }) : undefined))],
      { args: { data: 1 } },
    );
    expect(answer.modified_args?.data).toEqual(Uint8Array.of(0, 1, 255));
  });

  test("a rule cannot change the arguments in place", () => {
    const answer = judged(
      [
        rule("a", ({ args }) => {
          (args as Record<string, unknown>).x = 2;
          return undefined;
        }),
      ],
      { args: { x: 1 } },
    );
    expect(answer).toMatchObject({ verdict: Verdict.BLOCK, code: "rule_threw" });
  });
});

describe("results", () => {
  const result = { event: { phase: "result" as const } };
  const resultRule = (id: string, ruling: Ruling) => rule(id, ruling, { phase: "result" });

  test("a call rule does not judge a result, nor a result rule a call", () => {
    expect(judged([rule("a", () => block("no"))], result).verdict).toBe(Verdict.ALLOW);
    expect(judged([resultRule("a", () => block("no"))]).verdict).toBe(Verdict.ALLOW);
  });

  test("redactions compose: the second sees the first one's replacement", () => {
    const answer = judged(
      [
        resultRule("a", ({ args }) => (args.s === "k1 k2" ? rewriteResult({ s: "* k2" }) : undefined)),
        resultRule("b", ({ args }) => (args.s === "* k2" ? rewriteResult({ s: "* *" }) : undefined)),
      ],
      { ...result, args: { s: "k1 k2" } },
    );
    expect(answer).toMatchObject({ verdict: Verdict.MODIFY, modified_result: { s: "* *" }, modified_args: null });
  });

  test("a replacement by null is none", () => {
    const answer = judged([resultRule("a", () => rewriteResult(null, { reason: "no replacement" }))], result);
    expect(answer).toMatchObject({ verdict: Verdict.MODIFY, modified_result: null, reason: "no replacement" });
  });

  test("a result is never escalated: that is a block", () => {
    const answer = judged([resultRule("a", () => escalate("ask"))], result);
    expect(answer).toMatchObject({ verdict: Verdict.BLOCK, code: "result_escalated", reason: "ask", policy_id: "a" });
  });

  test("a call rewrite on a result blocks", () => {
    expect(judged([resultRule("a", () => rewrite({ x: 1 }))], result).code).toBe("rule_threw");
  });
});

describe("escalation", () => {
  test("one that needs an operator outranks one that the client may approve", () => {
    const answer = judged([
      rule("a", () => escalate("ask me")),
      rule("b", () => escalate("ask ops", { by: "operator" })),
    ]);
    expect(answer).toMatchObject({ code: "escalated_operator", policy_id: "b", reason: "ask ops" });
  });
});

describe("asynchronous rules", () => {
  test("look facts up and answer later", async () => {
    const owner = rule("owner", async ({ args }, { lookup }) => {
      const order = (await lookup("orders", args.order_id ?? null)) as { customer: string } | undefined;
      return order?.customer === args.customer ? undefined : block("another customer's", { attributedTo: "order_id" });
    });
    const resolvers = { orders: (key: unknown) => (key === "O1" ? { customer: "c1" } : undefined) };
    const mine = await putTo([owner], { args: { order_id: "O1", customer: "c1" }, resolvers });
    const theirs = await putTo([owner], { args: { order_id: "O1", customer: "c2" }, resolvers });
    expect(mine.verdict).toBe(Verdict.ALLOW);
    expect(theirs).toMatchObject({ verdict: Verdict.BLOCK, attributed_to: "order_id" });
  });

  test("one that rejects is a DENY that names it", async () => {
    expect(await putTo([rule("a", () => Promise.reject(new TypeError("secret")))])).toMatchObject({
      code: "rule_threw",
      reason: "rule a failed, denied fail-closed: TypeError",
    });
  });

  test("one that asks a resolver nobody declared is a DENY", async () => {
    const answer = await putTo([rule("a", async (_event, { lookup }) => void (await lookup("nobody", "k")))]);
    expect(answer.reason).toBe("rule a failed, denied fail-closed: UnknownResolver");
  });

  test("one that never answers is a DENY at the deadline of its module", async () => {
    const time = new ManualTime();
    const answer = putTo([rule("slow", () => new Promise(() => undefined))], { time });
    time.pass(249);
    time.pass(1);
    expect(await answer).toMatchObject({ code: "rule_overran", reason: "rule slow ran past its deadline of 250 ms" });
  });

  test("the module's rules share the deadline", async () => {
    const time = new ManualTime();
    const quick = rule("quick", () => {
      time.pass(200);
      return undefined;
    });
    const answer = putTo([quick, rule("slow", () => new Promise(() => undefined))], { time });
    time.pass(50);
    expect(await answer).toMatchObject({ code: "rule_overran", policy_id: "slow" });
  });
});

describe("deadlines", () => {
  test("a synchronous rule that came back too late is a DENY all the same", () => {
    const time = new ManualTime();
    const late = rule("late", () => {
      time.pass(300);
      return allow();
    });
    expect(judged([late], { time })).toMatchObject({ verdict: Verdict.BLOCK, code: "rule_overran", policy_id: "late" });
  });

  test("a suspended rule blocks what it would judge, unrun", () => {
    const entered: number[] = [];
    const answer = judged([rule("a", () => allow())], { state: { suspended: new Set(["a"]) }, entered });
    expect(answer).toMatchObject({ verdict: Verdict.BLOCK, code: "rule_suspended", policy_id: "a" });
    expect(entered).toEqual([]);
  });
});

describe("a reason", () => {
  test("that quotes an argument's value is withheld; the block stands and names its rule", () => {
    const answer = judged([rule("a", ({ args }) => block(`${String(args.path)} is off limits`))], {
      args: { path: "/etc/passwd" },
    });
    expect(answer).toMatchObject({ verdict: Verdict.BLOCK, reason: withheld, policy_id: "a" });
  });

  test("that quotes a nested value is withheld", () => {
    const answer = judged([rule("a", () => block("key sk-12345 found"))], { args: { a: [{ b: "sk-12345" }] } });
    expect(answer.reason).toBe(withheld);
  });

  test("may use words that an argument uses too", () => {
    const answer = judged([rule("a", () => block("order belongs to another customer"))], {
      args: { kind: "another customer" },
    });
    expect(answer.reason).toBe("order belongs to another customer");
  });

  test("is one line of at most 512 bytes of UTF-8, without controls", () => {
    const answer = judged([rule("a", () => block(`a\nb\u001b[31m\u202e${"é".repeat(600)}`))]);
    expect(answer.reason).toMatch(/^a b \[31m é/);
    expect(Buffer.byteLength(answer.reason)).toBeLessThanOrEqual(512);
    expect(answer.reason.endsWith("...")).toBe(true);
  });
});

describe("any rules, any arguments", () => {
  const answers: Ruling[] = [
    () => undefined,
    () => allow(),
    () => block("no"),
    () => escalate("ask"),
    ({ args }) => rewrite({ n: Number(args.n ?? 0) + 1 }),
    ({ args }) => (args.n === 0 ? rewrite({ n: 1 }) : undefined),
    () => {
      throw new Error("x");
    },
  ];
  test("a call is allowed only if no rule blocked, threw or asked on the final arguments", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(answers.length - 1), { maxLength: 8 }), (picks) => {
        const rules = picks.map((pick, i) => rule(`r${i}`, answers[pick] as Ruling));
        const answer = judged(rules, { args: { n: 0 } });
        if (picks.some((pick) => pick === 2 || pick === 6)) expect(answer.verdict).toBe(Verdict.BLOCK);
        else if (picks.includes(4)) expect(answer.code).toBe("rewrite_unsettled");
        else if (picks.includes(3)) expect(answer.verdict).toBe(Verdict.ESCALATE);
        else expect([Verdict.ALLOW, Verdict.MODIFY]).toContain(answer.verdict);
        expect(() => JSON.parse(answer.traceJson)).not.toThrow();
      }),
    );
  });
});
