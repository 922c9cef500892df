import { promisify } from "node:util";
import { expect, test } from "vitest";
import { BlockedError } from "../blocked-error.ts";
import { Decision } from "../decision.ts";
import type { Guard, Permission } from "./ask.ts";
import { asOwnCall } from "./own-call.ts";
import { fields, guardCallback, guardHandle, guardPromise, guardSync, isGuarded } from "./wrap.ts";

interface Asked extends Guard {
  readonly asked: unknown[];
}

/** Answers every question the same, and remembers it. */
const guardThat = (answer: () => Permission): Asked => {
  const asked: unknown[] = [];
  const askSync = (action: string, args: object): Permission => {
    asked.push({ action, args });
    return answer();
  };
  return { asked, askSync, ask: async (action, args) => askSync(action, args) };
};
const allowing = () => guardThat(() => ({ args: null }));
const refusal = new BlockedError(Decision.block("not this one"), "x.read");
const refusing = () =>
  guardThat(() => {
    throw refusal;
  });
const rewriting = (args: Record<string, unknown>) => guardThat(() => ({ args }));
const spec = fields("path", "options")("x.read");

test("a wrapper has the name, the length, the own properties and the mark, and is not wrapped again", () => {
  const inner = (path: string) => `native ${path}`;
  const original = Object.assign(
    function read(path: string, _options?: object) {
      return path;
    },
    { native: inner, size: 3 },
  );
  const guard = allowing();
  const wrapped = guardSync(original, spec, guard);
  expect([wrapped.name, wrapped.length, wrapped.size, isGuarded(wrapped)]).toEqual(["read", 2, 3, true]);
  expect(guardSync(wrapped, spec, guard)).toBe(wrapped);
  expect(wrapped.native("/a")).toBe("native /a");
  expect(guard.asked).toEqual([{ action: "x.read", args: { path: "/a" } }]);
});

test("`this`, the arguments and the result pass through; a throw of the original is its own", () => {
  const seen: unknown[] = [];
  function read(this: unknown, ...args: unknown[]) {
    seen.push(this, args);
    if (args[0] === "bad") throw new RangeError("own");
    return 7;
  }
  const wrapped = guardSync(read, spec, allowing());
  const self = { wrapped };
  expect(self.wrapped("/a", undefined, 3)).toBe(7);
  expect(seen).toEqual([self, ["/a", undefined, 3]]);
  expect(() => wrapped("bad")).toThrow(RangeError);
});

test("a refused synchronous call does not run", () => {
  let runs = 0;
  const wrapped = guardSync(() => runs++, spec, refusing());
  expect(() => wrapped()).toThrow(refusal);
  expect(runs).toBe(0);
});

test("a class stays a class: `new`, subclasses, and the guard before either", () => {
  class Thing {
    readonly path: unknown;
    constructor(path: unknown) {
      this.path = path;
    }
  }
  const make = (guard: Guard) => guardHandle(Thing as never, spec, guard) as unknown as typeof Thing;
  const Guarded = make(rewriting({ path: "/safe" }));
  expect(new Guarded("/a")).toBeInstanceOf(Guarded);
  expect(new Guarded("/a").path).toBe("/safe");
  class Sub extends Guarded {}
  expect(new Sub("/a")).toBeInstanceOf(Sub);
  const Refused = make(refusing());
  expect(() => new Refused("/a")).toThrow(refusal);
});

test("a refusal is made a handle where the function's own errors are one's", () => {
  const wrapped = guardHandle(
    () => "ran",
    spec,
    refusing(),
    (error) => ({ error }),
  );
  expect(wrapped()).toEqual({ error: refusal });
});

test("a callback gets the refusal after the call has returned, and nothing runs", async () => {
  let runs = 0;
  const wrapped = guardCallback((_path: string, _callback: (error: unknown) => void) => runs++, spec, refusing());
  let returned = false;
  const error = await new Promise((resolve) => {
    wrapped("/a", (refused) => {
      expect(returned).toBe(true);
      resolve(refused);
    });
    returned = true;
  });
  expect([error, runs]).toEqual([refusal, 0]);
});

test("a rewrite that adds an option does not take the callback's place", async () => {
  const read = (path: string, options: unknown, callback: (error: null, got: unknown) => void) =>
    callback(null, [path, options]);
  const wrapped = guardCallback(read as never, spec, rewriting({ path: "/b", options: { flag: "r" } })) as (
    ...args: unknown[]
  ) => void;
  const got = await new Promise((resolve) => wrapped("/a", (_error: null, value: unknown) => resolve(value)));
  expect(got).toEqual(["/b", { flag: "r" }]);
});

test("without a callback the guard is asked all the same, and the original says what is wrong", () => {
  const guard = allowing();
  const wrapped = guardCallback(
    () => {
      throw new TypeError("callback");
    },
    spec,
    guard,
  ) as (path: string) => void;
  expect(() => wrapped("/a")).toThrow("callback");
  expect(guard.asked).toHaveLength(1);
  const refused = guardCallback(() => "ran", spec, refusing()) as (path: string) => unknown;
  expect(() => refused("/a")).toThrow(refusal);
});

test("a promisified copy is guarded: the wrapper's `promisify.custom` asks too", async () => {
  const original = Object.assign((_path: string, _callback: () => void) => {}, {
    [promisify.custom]: async (path: string) => `custom ${path}`,
  });
  expect(await promisify(guardCallback(original, spec, allowing()))("/a")).toBe("custom /a");
  await expect(promisify(guardCallback(original, spec, refusing()))("/a")).rejects.toBe(refusal);
});

test("a promise is rejected, never thrown at once; a view that cannot be read is a refusal", async () => {
  let runs = 0;
  const read = async (_options: unknown) => runs++;
  const refused = guardPromise(read, spec, refusing())("/a");
  await expect(refused).rejects.toBe(refusal);
  const throwing = {
    get flag(): string {
      throw new Error("secret");
    },
  };
  const unread = guardPromise(read as (...args: unknown[]) => Promise<number>, spec, allowing())("/a", throwing);
  await expect(unread).rejects.toThrow("cannot be put to the guard: Error");
  expect(runs).toBe(0);
});

test("what is judged is what runs: arguments that change while the guard is asked do not", async () => {
  const path = Buffer.from("/good");
  const options = { flag: "r" };
  const wrapped = guardPromise(async (...args: unknown[]) => args, spec, allowing());
  const running = wrapped(path, options);
  path.write("/evil");
  options.flag = "w";
  expect(await running).toEqual([Buffer.from("/good"), { flag: "r" }]);
});

test("what is called inside of a step of the guard's own is refused, and nothing is asked", async () => {
  const guard = allowing();
  const inside = /called inside of a question/;
  expect(() => asOwnCall(() => guardSync(() => 1, spec, guard)())).toThrow(inside);
  await expect(asOwnCall(() => guardPromise(async () => 2, spec, guard)())).rejects.toThrow(inside);
  const call = guardCallback((_callback: (error: unknown) => void) => 3, spec, guard);
  expect(await new Promise((resolve) => asOwnCall(() => call(resolve)))).toBeInstanceOf(BlockedError);
  expect(guard.asked).toEqual([]);
  expect(guardSync(() => 1, spec, guard)()).toBe(1);
});
