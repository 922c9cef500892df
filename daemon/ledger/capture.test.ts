import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { admit } from "../../wire/admission.ts";
import { WireError } from "../../wire/errors.ts";
import type { ReceivedEvent } from "../../wire/event.ts";
import { featureSet } from "../../wire/features.ts";
import { parseEvent } from "../../wire/request-event.ts";
import type { JsonObject } from "../../wire/value.ts";
import { StoreFailed } from "../store/refused.ts";
import { eraseSalts } from "../store/sqlite/erase-salts.ts";
import { openSqliteStore } from "../store/sqlite/open-store.ts";
import { openReceiptReader } from "../store/sqlite/read-receipts.ts";
import type { StateDirectory } from "../store/state-directory.ts";
import { runSteps, step } from "../store/steps.ts";
import type { EmbeddedStore } from "../store/store.ts";
import { readStoreKey } from "../store/store-key.ts";
import { eventPlace } from "../transactions/places.ts";
import { capturedText, maxCapturedLength, type PutCall, parseCaptured } from "./captured-event.ts";
import { ledgerOn } from "./open.ts";
import type { EmbeddedLedger } from "./record.ts";
import { sealer } from "./sealing.ts";
import { decision, start_ms } from "./test-records.ts";
import { openAt, temporaryState } from "./test-state.ts";
import { verifyChain } from "./test-verify-chain.ts";

const call = (argsJson: JsonObject): PutCall => ({
  event: { action: "pay", phase: "call", principal: "agent-7", parent_principal: null },
  argsJson,
  escapes: true,
});

const day_ms = 86_400_000;
const captured = (request: string, text: string, expires_ms = start_ms + day_ms) =>
  decision({ request, capture: { text, expires_ms } });

/** The captured text of each of these receipts, as a reader beside the daemon opens it. */
const opened = (state: StateDirectory, seqs: readonly number[], now_ms = start_ms) => {
  const reader = openReceiptReader(state);
  const places = seqs.map((seq) => eventPlace(reader.chain, seq));
  const boxes = reader.boxes(places, now_ms);
  const { whole } = verifyChain(reader.chain, reader.rows(1, Number.MAX_SAFE_INTEGER), null, () => {});
  reader.close();
  const { open } = sealer(readStoreKey(state.keyPath) as Uint8Array);
  const texts = places.map((place) => {
    const box = boxes.get(place);
    return box === undefined ? null : open(place, box);
  });
  return { texts, whole };
};

test.each([true, false])(
  "what was captured opens to the call as it was put, whatever its arguments (escapes: %s)",
  (escapes) => {
    const features = featureSet(escapes ? ["escape"] : []);
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.option(fc.string({ maxLength: 20 })),
        (args, principal) => {
          let received: ReceivedEvent;
          try {
            const put = { action: "pay", args, parent_principal: "a", phase: "call", principal };
            received = parseEvent(admit(Buffer.from(JSON.stringify(put))), "", features);
          } catch (error) {
            if (error instanceof WireError) return;
            throw error;
          }
          const read = parseCaptured(capturedText({ ...received, escapes }, []));
          expect(read).toEqual({ event: received.event, redacted: [] });
        },
      ),
    );
  },
);

test("a number that our own encoding refuses is captured as it came", () => {
  const put = call({ amount: 1e30 });
  expect(parseCaptured(capturedText(put, []))).toMatchObject({ event: { args: { amount: 1e30 } } });
});

test("what the contract keeps from view is not in it; where it stood is told", () => {
  const put = call({ card: { number: "4111" }, items: [{ iban: "DE1" }, { iban: "DE2" }], amount: 5 });
  const text = capturedText(put, ["card.number", "items[].iban"]);
  for (const secret of ["4111", "DE1", "DE2"]) expect(text).not.toContain(secret);
  expect(parseCaptured(text)).toMatchObject({
    event: { args: { amount: 5, card: { number: "(redacted)" } } },
    redacted: ["card.number", "items[0].iban", "items[1].iban"],
  });
});

test("an event that is too large is left out, and says so", () => {
  expect(parseCaptured(capturedText(call({ text: "x".repeat(maxCapturedLength) }), []))).toEqual({
    leftOut: "too_large",
  });
});

test.each([
  ["no JSON", "{"],
  ["a list", "[]"],
  ["another version", '{"event":{"action":"a","args":{}},"redacted":[],"v":2}'],
  ["another reason to leave it out", '{"left_out":"why","v":1}'],
  ["no list of what is redacted", '{"event":{"action":"a","args":{}},"redacted":"card","v":1}'],
  ["no event", '{"event":7,"redacted":[],"v":1}'],
  ["an event with an unknown key", '{"event":{"action":"a","args":{},"at":1},"redacted":[],"v":1}'],
])("a text that is %s is no captured event", (_name, text) => {
  expect(parseCaptured(text)).toBeNull();
});

test("an event is kept beside its receipt, in the journal and in the database, sealed; others have none", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  ledger.append([captured("a", "first-secret"), decision({ request: "b" }), captured("c", "third")]);
  ledger.append([captured("d", "fourth")]);
  expect(readFileSync(state.journalPath).includes("first-secret")).toBe(false);
  expect(opened(state, [1, 2, 3, 4, 9])).toEqual({
    texts: ["first-secret", null, "third", "fourth", null],
    whole: true,
  });
  ledger.settle();
  expect(readFileSync(state.journalPath, "utf8")).toBe("");
  expect(opened(state, [1, 2, 3, 4])).toEqual({ texts: ["first-secret", null, "third", "fourth"], whole: true });
  ledger.close();
  for (const path of [state.ledgerPath, `${state.ledgerPath}-wal`, state.journalPath]) {
    expect(readFileSync(path, { flag: "a+" }).includes("first-secret")).toBe(false);
  }
});

test("one whose answer is kept too is captured with it", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  const record = decision({ keep: "an answer", capture: { text: "the call", expires_ms: start_ms + day_ms } });
  expect(ledger.append([record])).toEqual([{ durable: true, seq: 1 }]);
  expect(opened(state, [1]).texts).toEqual(["the call"]);
  ledger.close();
});

test("past its time it is gone, first for readers and then from the store, and the chain stays whole", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  ledger.append([captured("a", "first", start_ms + day_ms), captured("b", "second", start_ms + 2 * day_ms)]);
  expect(opened(state, [1, 2], start_ms + day_ms).texts).toEqual([null, "second"]);
  ledger.settle();
  ledger.change(function* (tx) {
    yield* step(tx.deleteExpired(start_ms + day_ms));
  });
  expect(opened(state, [1, 2], start_ms)).toEqual({ texts: [null, "second"], whole: true });
  ledger.close();
});

test("erasing a receipt's salt erases the call that was captured with it", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  ledger.append([captured("a", "first"), captured("b", "second")]);
  ledger.settle();
  expect(eraseSalts(state, 1, ["salt"])).toBe(true);
  expect(eraseSalts(state, 1, ["salt"])).toBe(false);
  expect(opened(state, [1, 2])).toEqual({ texts: [null, "second"], whole: true });
  ledger.close();
});

test("a box that was moved to another receipt, or damaged, does not open", () => {
  const state = temporaryState();
  const ledger = openAt(state);
  ledger.append([captured("a", "first"), captured("b", "second")]);
  const { chain } = ledger;
  ledger.change(function* (tx) {
    const box = (yield* step(tx.findBox(eventPlace(chain, 1), start_ms))) as Uint8Array;
    yield* step(tx.putBox(eventPlace(chain, 2), start_ms + day_ms, box));
    yield* step(tx.putBox(eventPlace(chain, 1), start_ms + day_ms, Uint8Array.from(box).fill(0, 40)));
  });
  expect(opened(state, [1, 2]).texts).toEqual([null, null]);
  ledger.close();
});

test("a receipt whose call cannot be captured fails with it, and alone", () => {
  const state = temporaryState();
  const { store, key } = openSqliteStore(state, "process", null);
  const full = (): never => {
    throw new StoreFailed("the disk failed (SQLITE_FULL)");
  };
  const failing: EmbeddedStore = {
    ...store,
    transact: (work) => store.transact((tx) => work({ ...tx, putBox: full })),
  };
  const ledger = runSteps(ledgerOn(failing, key, "a test's store", start_ms)) as EmbeddedLedger;
  expect(ledger.append([captured("a", "first"), decision({ request: "b" })])).toEqual([
    { durable: false, error: "the disk failed (SQLITE_FULL)" },
    { durable: true, seq: 1 },
  ]);
  ledger.close();
  expect(opened(state, [1])).toEqual({ texts: [null], whole: true });
});
