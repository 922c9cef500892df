import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_LINE } from "../../wire/limits.ts";
import { EngineSlot, idle, loading, newSlotMemory, WatchdogSlot } from "./slot.ts";

const slots = () => {
  const memory = newSlotMemory();
  return { watchdog: new WatchdogSlot(memory), engine: new EngineSlot(memory) };
};

test("before the engine did anything nothing runs and nothing was asked", () => {
  const { watchdog } = slots();
  expect(watchdog.look()).toEqual({ step: 0, running: idle, heartbeat: 0 });
  expect(watchdog.request()).toEqual({ line: new Uint8Array(), session: "" });
});

test("enter and leave each are a step, and say what runs", () => {
  const { watchdog, engine } = slots();
  engine.enter(12);
  expect(watchdog.look()).toMatchObject({ step: 1, running: 12 });
  engine.leave();
  expect(watchdog.look()).toMatchObject({ step: 2, running: idle });
  engine.enterLoading();
  expect(watchdog.look()).toMatchObject({ step: 3, running: loading });
});

test("beats and the coarse clock cross over, the clock without its sign", () => {
  const { watchdog, engine } = slots();
  engine.beat();
  engine.beat();
  expect(watchdog.look().heartbeat).toBe(2);
  watchdog.setClock_ms(12_345);
  expect(engine.coarseNow_ms()).toBe(12_345);
  watchdog.setClock_ms(2 ** 31 + 7);
  expect(engine.coarseNow_ms()).toBe(7);
});

test("a shorter request after a longer one leaves nothing of it, and the session changes with it", () => {
  const { watchdog, engine } = slots();
  engine.stampRequest(Buffer.from("a long request"), "first");
  engine.stampRequest(Buffer.from("short"), "second");
  const { line, session } = watchdog.request();
  expect([Buffer.from(line).toString(), session]).toEqual(["short", "second"]);
});

test("a frame as long as a frame may be fits", () => {
  const { watchdog, engine } = slots();
  engine.stampRequest(new Uint8Array(MAX_LINE).fill(0x61), "s");
  expect(watchdog.request().line.length).toBe(MAX_LINE);
});

test("a session's text that does not fit is refused", () => {
  expect(() => slots().engine.stampRequest(new Uint8Array(), "x".repeat(17_000))).toThrow(RangeError);
});

test("property: what was stamped last is what is read", () => {
  const { watchdog, engine } = slots();
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.string({ maxLength: 300 }))), (requests) => {
      for (const [line, session] of requests) engine.stampRequest(line, session);
      const last = requests.at(-1);
      if (last === undefined) return;
      expect(watchdog.request().line).toEqual(Uint8Array.from(last[0]));
      expect(watchdog.request().session).toBe(Buffer.from(last[1]).toString());
    }),
  );
});
