import { describe, expect, it } from "vitest";
import { cost_ms } from "../../../test/detect/cost.ts";
import { judgeBy } from "../../../test/detect/judge.ts";
import type { WireObject } from "../../../wire/value.ts";
import { checkRuleSet } from "../../check.ts";
import { type DatabaseOptions, database } from "./index.ts";

const around = { roots: ["/home/user/project"], directory: "/home/user/project", allowHosts: [] };
const judge = (tier: "starter" | "strict" = "starter", options: Partial<DatabaseOptions> = {}) => {
  const rules = database.rules({ ...(database.tiers[tier] as DatabaseOptions), ...options }, around);
  return async (action: string, args: WireObject) => (await judgeBy(tier, rules)({ action, args })).kind;
};

describe("the database pack", () => {
  it("is a set of rules that can be defined, and each of its options is described", () => {
    const rules = database.rules(database.tiers.strict as DatabaseOptions, around);
    expect(() => checkRuleSet({ id: "db", version: 1, rules })).not.toThrow();
    expect(Object.keys(database.options).sort()).toEqual(Object.keys(database.tiers.starter as object).sort());
  });

  it("row 90: stops SQL injection in any field, and no sentence", async () => {
    const asked = judge();
    expect(await asked("get_user", { name: "x' UNION SELECT username, password FROM users --" })).toBe("block");
    expect(await asked("get_user", { profile: { id: ["1 OR 1=1"] } })).toBe("block");
    expect(await asked("get_user", { name: "O'Brien" })).toBe("silent");
    expect(await asked("search", { q: "western union select committee" })).toBe("silent");
  });

  it("reads what a field called sql holds as a statement, whatever the tool", async () => {
    const sql = "SELECT a.email FROM users a WHERE 1=1 AND a.gone IS NULL UNION ALL SELECT email FROM leads";
    const starter = judgeBy("starter");
    expect((await starter({ action: "query", args: { sql } })).kind).toBe("silent");
    expect((await starter({ action: "query", args: { sql: "SELECT a FROM t WHERE b = '' OR '1'='1'" } })).held).toBe(
      true,
    );
    expect((await starter({ action: "get_user", args: { name: "x' UNION SELECT 1, 2 --" } })).held).toBe(true);
  });

  it("row 64: stops operators of MongoDB where a value is expected, also in text", async () => {
    const asked = judge();
    expect(await asked("login", { password: { $gt: "" } })).toBe("block");
    expect(await asked("find_user", { q: '{"$gt": ""}' })).toBe("block");
    expect(await asked("mongodb.find", { filter: { age: { $gt: 3 } } })).toBe("silent");
  });

  it("is not alarmed by what a peer's inspector blocks on every tool", async () => {
    const asked = judge();
    for (const text of [
      "10.0.0.1",
      "config.yaml",
      "../README.md",
      "0xdeadbeef",
      "api-key rotation guide",
      "SAM Altman",
    ])
      expect(await asked("note", { title: text }), text).toBe("silent");
  });

  it("holds what the options say", async () => {
    expect(await judge()("execute_sql", { sql: "DROP TABLE a" })).toBe("escalate");
    expect(await judge("starter", { destructive: "block" })("execute_sql", { sql: "DROP TABLE a" })).toBe("block");
    expect(await judge("starter", { unbounded: "block" })("execute_sql", { sql: "DELETE FROM a" })).toBe("block");
    expect(await judge()("execute_sql", { sql: "INSERT INTO a VALUES (1)" })).toBe("silent");
    expect(await judge("strict")("execute_sql", { sql: "INSERT INTO a VALUES (1)" })).toBe("escalate");
    expect(await judge("strict", { access: "write" })("execute_sql", { sql: "INSERT INTO a VALUES (1)" })).toBe(
      "silent",
    );
    expect(await judge("strict", { access: "write" })("execute_sql", { sql: "CREATE TABLE a (b int)" })).toBe(
      "escalate",
    );
    expect(await judge("strict")("execute_sql", { sql: "SELECT * FROM users" })).toBe("escalate");
    expect(await judge()("execute_sql", { sql: "SELECT * FROM users" })).toBe("silent");
    expect(await judge("starter", { secretTables: ["people"] })("execute_sql", { sql: "SELECT * FROM people" })).toBe(
      "escalate",
    );
    expect(await judge("starter", { dialect: "postgresql" })("execute_sql", { sql: "SELECT a #> '{b}' FROM t" })).toBe(
      "silent",
    );
  });

  it("asks about what cannot be read in a tool for SQL, and not in a tool that queries something else", async () => {
    expect(await judge()("execute_sql", { sql: "how many orders?" })).toBe("escalate");
    expect(await judge()("query", { query: "how many orders?" })).toBe("silent");
  });

  it("says nothing of the value in its reason", async () => {
    const rules = database.rules(database.tiers.starter as DatabaseOptions, around);
    for (const args of [
      { sql: "DROP TABLE secret_hero" },
      { name: "secret_hero' OR 1=1 --" },
      { password: { $ne: "secret_hero" } },
    ])
      for (const rule of rules) {
        const event = {
          action: "execute_sql",
          args,
          phase: "call",
          principal: "a",
          parent_principal: null,
          span_id: null,
          ts: 0,
        } as const;
        const answer = await rule.evaluate(event, { now_ms: 0, lookup: async () => undefined });
        expect(JSON.stringify(answer) ?? "").not.toContain("secret_hero");
      }
  });

  it("reads hostile fields in less than 50 ms", async () => {
    const asked = judge();
    await asked("get_user", { name: "x' OR '1'='1" });
    for (const part of ["'", "' OR ", "(", "' OR (", "%27", "/*", "union ", "$gt: ", '"', "1 OR ", "' UNION SELECT "]) {
      for (const length of [2_000, 100_000]) {
        const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
        expect(
          await cost_ms((turn) => asked("get_user", { name: `${text}${turn}`, other: `1${text}${turn}` })),
          `${part} ${length}`,
        ).toBeLessThan(50);
      }
    }
  });
});
