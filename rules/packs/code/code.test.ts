import { describe, expect, it } from "vitest";
import { cost_ms } from "../../../test/detect/cost.ts";
import { judgeBy } from "../../../test/detect/judge.ts";
import { checkRuleSet } from "../../check.ts";
import { type CodeOptions, code as pack } from "./index.ts";

const around = { roots: ["/home/user/project"], directory: "/home/user/project", allowHosts: [] };
const judge = (tier: "starter" | "strict" = "starter") => {
  const rules = pack.rules(pack.tiers[tier] as CodeOptions, around);
  return async (code: string, action = "execute_python") =>
    (await judgeBy(tier, rules)({ action, args: { code } })).kind;
};

describe("the code pack", () => {
  it("is a set of rules that can be defined, and each of its options is described", () => {
    expect(() =>
      checkRuleSet({ id: "code", version: 1, rules: pack.rules(pack.tiers.strict as CodeOptions, around) }),
    ).not.toThrow();
    expect(Object.keys(pack.options).sort()).toEqual(Object.keys(pack.tiers.starter as object).sort());
  });

  it.each([
    ["row 8: a walk from a class", "().__class__.__bases__[0].__subclasses__()", "block"],
    ["row 9: eval of dynamic text", "eval(text)", "escalate"],
    ["row 9: exec of decoded text", "import base64\nexec(base64.b64decode(x))", "escalate"],
    ["row 24: an import by a computed name", "__import__(name)", "escalate"],
    ["row 27: secrets of the environment", "import os\nprint(os.environ['AWS_SECRET_ACCESS_KEY'])", "block"],
    ["row 61: a memory bomb", "x = 'a' * 10**10", "block"],
    ["row 72: pickle", "import pickle\npickle.loads(x)", "escalate"],
    ["row 87: a killed process", "import os\nos.kill(1, 9)", "escalate"],
    ["row 94: a spawned process", "import os\nos.system('id')", "escalate"],
    ["an alias", "from os import system as s\ns('id')", "escalate"],
    ["getattr", "import os\ngetattr(os, 'sys' 'tem')\ngetattr(os, 'system')('id')", "escalate"],
    ["a member by its name in brackets", "globals()['__builtins__']", "block"],
    ["escapes in a text", "getattr(__import__('\\x6fs'), 'system')('id')", "escalate"],
  ])("holds %s", async (_name, code, kind) => expect(await judge()(code)).toBe(kind));

  it("row 10 and row 11: files and network alone are asked about in the strict tier only", async () => {
    for (const code of [
      "open('a.txt').read()",
      "import requests\nrequests.get('https://example.com')",
      "import socket\nsocket.socket()",
    ]) {
      expect(await judge()(code), code).toBe("silent");
      expect(await judge("strict")(code), code).toBe("escalate");
    }
  });

  it("holds the same in JavaScript and TypeScript", async () => {
    const asked = judge();
    expect(await asked("import { exec as e } from 'node:child_process'; e('id')", "run_js")).toBe("escalate");
    expect(await asked("const x: any = new Function('return 1'); x()", "run_js")).toBe("silent");
    expect(await asked("new Function(text)()", "run_js")).toBe("escalate");
    expect(await asked("[].constructor.constructor('return this')()", "run_js")).toBe("block");
  });

  it("asks about a program that is longer than is read, and reads one with errors", async () => {
    expect(await judge()("x = 1\n".repeat(10_000))).toBe("escalate");
    expect(await judge()("def f(:\n  os.system('id'\nimport os\n")).toBe("escalate");
  });

  it("says nothing of tools that format or write code, and of codes that are no programs", async () => {
    const asked = judge();
    expect(await asked("import os\nos.system('x')", "format_code")).toBe("silent");
    expect(await asked("SAVE-10", "apply_coupon")).toBe("silent");
  });

  // Each turn a text of its own: what was read before costs nothing.
  it.each(["(", "[", "a(", "'", "`${", "x.", "if a:\n", "eval(", "{", "x = y\n", "!", "lambda: ", "\\x6f"])(
    "reads hostile text of %j in less than 50 ms",
    async (part) => {
      for (const length of [8_000, 100_000])
        for (const action of ["execute_python", "run_js"]) {
          const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
          expect(await cost_ms((turn) => judge()(`${turn}${text}`, action)), `${action} ${length}`).toBeLessThan(50);
        }
    },
  );
});
