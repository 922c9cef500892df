import { expect, test } from "vitest";
import { bytesKey, bytesTag, tagKey } from "../../wire/envelope.ts";
import type { Phase } from "../../wire/event.ts";
import type { JsonObject, WireObject } from "../../wire/value.ts";
import { maxCapturedLength, parseCaptured } from "../ledger/captured-event.ts";
import { blockJudgement } from "../ledger/decision-record.ts";
import { EventCapture } from "./event-capture.ts";

const day_ms = 86_400_000;
const start_ms = 20_000 * day_ms;

interface Put {
  readonly args: JsonObject;
  readonly phase?: Phase;
  readonly isFixed?: true;
  readonly isResume?: true;
  readonly escape?: true;
  readonly time_ms?: number;
}

const captured = (capture: EventCapture, put: Put) => {
  const { args: argsJson, phase = "call", time_ms = start_ms } = put;
  const event = {
    action: "pay",
    args: argsJson as WireObject,
    phase,
    principal: "agent-7",
    parent_principal: null,
    span_id: null,
    ts: null,
    call_id: null,
  };
  const taken = capture.of({
    asking: {
      received: { event, argsJson, grade: null, server: null },
      argsCanonical: JSON.stringify(argsJson),
      resume: put.isResume === true ? { approval_id: "ap_1", call_id: "c-1" } : null,
      fixed: put.isFixed === true ? { judged: blockJudgement("approval_missing", ""), plan: null } : null,
    },
    session: { features: { escape: put.escape === true } },
    state: { index: { contracts: new Map([["pay", { contract: { redact: ["card"] } }]]) } },
    time_ms,
  });
  return taken === null ? null : { event: parseCaptured(taken.text), expires_ms: taken.expires_ms };
};

test("a call is captured for so many days, without what its contract keeps from view", () => {
  expect(captured(new EventCapture(7), { args: { amount: 5, card: "4111" } })).toMatchObject({
    event: { event: { action: "pay", args: { amount: 5 }, principal: "agent-7" }, redacted: ["card"] },
    expires_ms: start_ms + 7 * day_ms,
  });
});

test("a result, an outcome and a resume of nothing are not captured", () => {
  const capture = new EventCapture(7);
  expect(captured(capture, { args: {}, phase: "result" })).toBeNull();
  expect(captured(capture, { args: {}, isFixed: true })).toBeNull();
});

test("its JSON is read again as it was put: escaped where that was agreed on, or where it is resumed", () => {
  const capture = new EventCapture(1);
  const data = (tag: string) => ({ data: { [tagKey]: tag, [bytesKey]: "aGk=" } });
  const args = data(`=${bytesTag}`);
  const unescaped = { event: { event: { args: data(bytesTag) } } };
  expect(captured(capture, { args })).toMatchObject({ event: { event: { args } } });
  expect(captured(capture, { args, escape: true })).toMatchObject(unescaped);
  expect(captured(capture, { args, isResume: true })).toMatchObject(unescaped);
});

test("what is too large is left out", () => {
  const { event } = captured(new EventCapture(1), { args: { note: "x".repeat(maxCapturedLength) } }) ?? {};
  expect(event).toEqual({ leftOut: "too_large" });
});

test("past the day's room calls are left out, and say so; the next day has room again", () => {
  const capture = new EventCapture(1, 300);
  const args = { note: "x".repeat(100) };
  const leftOut = { event: { leftOut: "no_room" } };
  expect(captured(capture, { args })).toMatchObject({ event: { redacted: [] } });
  expect(captured(capture, { args })).toMatchObject(leftOut);
  expect(captured(capture, { args, time_ms: start_ms + day_ms - 1 })).toMatchObject(leftOut);
  expect(captured(capture, { args, time_ms: start_ms + day_ms })).toMatchObject({ event: { redacted: [] } });
});
