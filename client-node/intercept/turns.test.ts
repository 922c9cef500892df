import { expect, test } from "vitest";
import { BlockedError } from "../blocked-error.ts";
import { Decision } from "../decision.ts";
import { maxWaitingQuestions } from "../limits.ts";
import { makeGuard } from "./ask.ts";

const calls = 3 * maxWaitingQuestions;

/** Answers when told to, and remembers how many questions it had at once. */
const slowEngine = (judge: (at: number) => Decision) => {
  const asked: number[] = [];
  let open = 0;
  let mostOpen = 0;
  return {
    asked,
    mostOpen: () => mostOpen,
    evaluate: async ({ args }: { readonly args?: unknown }): Promise<Decision> => {
      const { at } = args as { readonly at: number };
      asked.push(at);
      open++;
      mostOpen = Math.max(mostOpen, open);
      await new Promise(setImmediate);
      open--;
      return judge(at);
    },
  };
};

const guardOf = (engine: ReturnType<typeof slowEngine>) =>
  makeGuard({ engine, syncEngine: null, enforcement: "blocking", principal: null });

test("more calls than an engine's line holds are put to it in turn, in their order, and each is answered", async () => {
  const engine = slowEngine((at) => (at % 2 === 0 ? Decision.allow() : Decision.block("odd")));
  const guard = guardOf(engine);
  const answers = await Promise.allSettled(Array.from({ length: calls }, (_, at) => guard.ask("x", { at })));
  expect(engine.asked).toEqual(Array.from({ length: calls }, (_, at) => at));
  expect(engine.mostOpen()).toBeLessThan(maxWaitingQuestions);
  answers.forEach((answer, at) => {
    if (at % 2 === 0) expect(answer).toEqual({ status: "fulfilled", value: { args: null } });
    else expect(answer).toMatchObject({ status: "rejected", reason: expect.any(BlockedError) });
  });
});

test("calls that wait their turn when the guard is let go of run, and are not asked for", async () => {
  const engine = slowEngine(() => Decision.block("never"));
  const guard = guardOf(engine);
  const answers = Array.from({ length: calls }, (_, at) => guard.ask("x", { at }).catch(() => "blocked"));
  guard.release();
  const blocked = (await Promise.all(answers)).filter((answer) => answer === "blocked");
  expect(blocked).toHaveLength(engine.asked.length);
  expect(engine.asked.length).toBeLessThan(maxWaitingQuestions);
});
