import { expect, test } from "vitest";
import { Decision } from "../decision.ts";
import type { Enforcement } from "../guard-options.ts";
import { makeGuard } from "./ask.ts";

test.each<[Enforcement, string]>([
  ["blocking", "enforce"],
  ["monitor", "monitor"],
])(
  "with enforcement %s the engine is told whether its caller waits in place, and that it is to %s",
  async (enforcement, acts) => {
    const told: unknown[] = [];
    const tell = (event: { readonly grade?: unknown }): Decision => {
      told.push(event.grade);
      return Decision.allow();
    };
    const guard = makeGuard({
      engine: { evaluate: async (event) => tell(event) },
      syncEngine: { evaluateSync: tell },
      enforcement,
      principal: null,
    });
    guard.askSync("fs.readFileSync", {});
    await guard.ask("fs.readFile", {});
    expect(told).toEqual([`sync/${acts}`, `async/${acts}`]);
  },
);
