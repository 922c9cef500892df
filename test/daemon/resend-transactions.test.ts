import { afterAll, beforeAll, expect, test } from "vitest";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import { type FeatureName, featureSet } from "../../wire/features.ts";
import { eventFrame, outcomeFrame } from "../../wire/request-frame.ts";
import { type Daemon, startDaemon } from "../kit/daemon.ts";
import { helloLine } from "../kit/frames.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { refundModule } from "../kit/refunds.ts";

const features: readonly FeatureName[] = [
  "call_id",
  "details",
  "escalate",
  "escape",
  "replace_args",
  "replay",
  "resend",
];

let place: Place;
let daemon: Daemon;
beforeAll(async () => {
  place = await makePlace(refundModule(), "unknown: allow\n");
  daemon = await startDaemon(place);
});
afterAll(async () => {
  await daemon.stop();
});

let count = 0;
const newNonce = (): string => `nonce-of-a-session-${++count}`.padEnd(24, "x");

/** Puts one line on a new connection of this session, and reads its answer. */
const put = async (nonce: string, line: string): Promise<{ verdict: number; code: string; result: unknown }> => {
  const connection = await RawConnection.open(place.socket, 5_000);
  connection.send(helloLine(nonce, features));
  await connection.line(5_000);
  connection.send(Buffer.from(line));
  const { verdict, details, modified_result } = JSON.parse((await connection.line(10_000)).toString());
  connection.drop();
  return { verdict, code: details.code, result: modified_result };
};

const refund = (id: string, call_id: string, amount: number): string =>
  eventFrame(
    id,
    {
      action: "refund",
      args: { order_id: "o1", customer_id: "c1", amount, note: "n", request_id: "r" },
      phase: "call",
      call_id,
    },
    featureSet(features),
  );

const resultOf = (id: string, action: string, call_id: string, args: object): string =>
  eventFrame(id, { action, args: { ...args }, phase: "result", call_id }, featureSet(features));

test("a call that was let run is told so again while it is under way", async () => {
  const nonce = newNonce();
  expect(await put(nonce, refund("1", "under-way", 1))).toMatchObject({ code: "allowed" });
  expect(await put(nonce, refund("1", "under-way", 1))).toMatchObject({ code: "allowed" });
});

test("asked again after its result came it is answered with that, and does not run twice, after a restart neither", async () => {
  const nonce = newNonce();
  expect(await put(nonce, refund("1", "ran", 2))).toMatchObject({ code: "allowed" });
  await put(nonce, resultOf("2", "refund", "ran", { paid: 2 }));
  const replayed = { verdict: 1, code: "replayed", result: { paid: 2 } };
  expect(await put(nonce, refund("1", "ran", 2))).toEqual(replayed);
  await daemon.kill();
  daemon = await startDaemon(place);
  expect(await put(nonce, refund("1", "ran", 2))).toEqual(replayed);
});

test("asked again after it failed and another took its place, it waits for that one", async () => {
  const nonce = newNonce();
  expect(await put(nonce, refund("1", "failed", 3))).toMatchObject({ code: "allowed" });
  await put(nonce, outcomeFrame("2", { call_id: "failed", status: "failed", error_type: "TimeoutError" }));
  expect(await put(newNonce(), refund("1", "instead", 3))).toMatchObject({ code: "allowed" });
  expect(await put(nonce, refund("1", "failed", 3))).toMatchObject({ verdict: 1, code: "in_flight" });
});

test("a result of another tool whose call has the same id is not kept as this call's", async () => {
  const nonce = newNonce();
  expect(await put(nonce, refund("1", "shared", 4))).toMatchObject({ code: "allowed" });
  await put(nonce, resultOf("2", "search", "shared", { found: "something else" }));
  expect(await put(newNonce(), refund("1", "repeat", 4))).toMatchObject({ code: "in_flight" });
  await put(nonce, resultOf("3", "refund", "shared", { paid: 4 }));
  expect(await put(newNonce(), refund("1", "again", 4))).toMatchObject({ code: "replayed", result: { paid: 4 } });
});
