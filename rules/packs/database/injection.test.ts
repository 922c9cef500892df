import { describe, expect, it } from "vitest";
import { cost_ms } from "../../../test/detect/cost.ts";
import { judgeBy } from "../../../test/detect/judge.ts";
import { type DatabaseOptions, database } from "./index.ts";

const rules = database.rules(database.tiers.starter as DatabaseOptions, {
  roots: ["/home/user/project"],
  directory: "/home/user/project",
  allowHosts: [],
});
const judge = async (name: string, action = "get_user") =>
  (await judgeBy("starter", rules)({ action, args: { name } })).kind;

const words = "lorem ipsum dolor sit amet ".repeat(2_000);

describe("injections of SQL in long texts", () => {
  it.each([
    ["behind a long value", `${words}' OR 1=1 --`],
    ["in front of a long comment", `x' OR 1=1 -- ${words}`],
    ["around a long comment", `x' /*${words}*/ OR /*${words}*/ 1=1 --`],
    ["behind blanks", `x'${" ".repeat(50_000)}OR 1=1 --`],
    ["with long literals", `x' OR '${words}' = '${words}`],
    ["with a long condition", `x' OR 1=1${" OR 1=1".repeat(2_000)} --`],
    ["with a second statement behind a long value", `${words}'; DROP TABLE users; --`],
    ["with a union behind a long value", `${words}' UNION SELECT username, password FROM users --`],
    [
      "with a union behind unions of sentences",
      `${"union select committee. ".repeat(3)}1 UNION SELECT username, password FROM users`,
    ],
    ["with a union and blanks", `1 UNION${" ".repeat(400)}SELECT username, password FROM users`],
    ["after a number", `1${" ".repeat(4)}OR 1=1${" OR 1=1".repeat(2_000)}`],
    ["in percent signs", `${words}%27%20OR%201%3D1%20--`],
  ])("blocks one %s", async (_name, text) => {
    expect(await judge(text)).toBe("block");
  });

  it("asks about what goes on as SQL for longer than is read", async () => {
    expect(await judge(`x' AND id IN (${"1,".repeat(5_000)}1) -- `)).toBe("escalate");
  });

  it("asks about more sentences of unions that select than are read", async () => {
    expect(await judge("The union select committee met. ".repeat(40))).toBe("escalate");
  });

  it("asks about more suspicious texts than are read", async () => {
    const args = { names: Array.from({ length: 40 }, (_one, at) => `a${at}" and b`) };
    expect((await judgeBy("starter", rules)({ action: "f", args })).kind).toBe("escalate");
  });

  it.each([
    ["prose", `It's what we said. ${words}`],
    ["prose with a quoted word at its start", `"Foo" and the others (as said) are = to this: ${words}`],
    ["JSON", JSON.stringify(Array.from({ length: 500 }, (_one, id) => ({ id, name: "O'Brien", ok: id > 3 })))],
    ["source", "const a = 'x';\nif (a === 'b' || a === \"c\") { f('d'); }\n".repeat(500)],
    ["a table", 'id,name,note\n1,"O\'Brien","a and b"\n'.repeat(1_000)],
    ["a page", '<p class="a">It\'s</p>\n'.repeat(2_000)],
    ["a list of numbers", "1, 2, 3, 4 and 5 or 6; ".repeat(1_000)],
    ["minutes of a committee", "The union select committee met; and 'and' was said. ".repeat(10)],
  ])("passes long %s", async (_name, text) => {
    expect(await judge(text, "save_value")).toBe("silent");
  });

  it.each([
    "'",
    "' OR ",
    "' OR 1=1 ",
    "'/*",
    "'/**/",
    "' (",
    "%27",
    "union ",
    "union/*",
    "union select ",
    "1 or ",
    "' UNION SELECT a, b ",
    "?a='&",
    '"and"',
    "' --",
    "'or'",
  ])("reads long texts of %j in less than 50 ms", async (part) => {
    await judge("x' OR '1'='1");
    const text = part.repeat(Math.ceil(100_000 / part.length));
    for (const start of ["", "x'", "1 "])
      expect(await cost_ms((turn) => judge(`${start}${text}${turn}`)), start).toBeLessThan(50);
  });
});

it("tells an injection by its place, in calls only", async () => {
  const value = { user: { name: "x' OR '1'='1" }, note: "O'Brien" };
  const options = database.tiers.starter as DatabaseOptions;
  const found = (await database.scan?.(value, "call", options)) ?? [];
  expect(found.map(({ class: of, place }) => [of, place])).toEqual([["sql_injection", "user.name"]]);
  expect(await database.scan?.(value, "result", options)).toEqual([]);
});
