import { expect, test } from "vitest";
import type { AppendResult, DecisionRecord, Ledger } from "../ledger/record.ts";
import { CommitGroup } from "./commit-group.ts";
import type { Connection } from "./connection.ts";

/** A ledger that notes which records were appended together, and what had been flushed by then. */
const setUp = (results: (record: DecisionRecord) => AppendResult = () => ({ durable: true, seq: 1 })) => {
  const groups: string[][] = [];
  const sent: string[] = [];
  let sentBefore: string[] = [];
  const ledger = {
    append: (records: readonly DecisionRecord[]) => {
      groups.push(records.map(({ request }) => request));
      sentBefore = [...sent];
      return records.map(results);
    },
  } as Pick<Ledger, "append"> as Ledger;
  const said: string[] = [];
  const connection = {
    say: (frame: string) => void said.push(frame),
    flush: () => void sent.push(...said.splice(0)),
  } as Pick<Connection, "say" | "flush"> as Connection;
  const group = new CommitGroup(ledger);
  const decide = (request: string): void =>
    group.decide({ request } as DecisionRecord, ({ durable }) =>
      group.speak(connection, durable ? request : `${request} not durable`),
    );
  return { group, groups, sent, connection, decide, sentBeforeAppend: () => sentBefore };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("decisions of one turn share a transaction, and no answer leaves before it", async () => {
  const { groups, sent, decide, sentBeforeAppend, group } = setUp();
  decide("a");
  decide("b");
  decide("c");
  expect(sent).toEqual([]);
  await turn();
  expect(groups).toEqual([["a", "b", "c"]]);
  expect(sentBeforeAppend()).toEqual([]);
  expect(sent).toEqual(["a", "b", "c"]);
  expect(group.empty).toBe(true);
});

test("a later turn is a later transaction", async () => {
  const { groups, decide } = setUp();
  decide("a");
  await turn();
  decide("b");
  await turn();
  expect(groups).toEqual([["a"], ["b"]]);
});

test("one whose receipt is not durable is told so, the others are not held up", async () => {
  const { sent, decide } = setUp(({ request }) =>
    request === "b" ? { durable: false, error: "full" } : { durable: true, seq: 1 },
  );
  for (const request of ["a", "b", "c"]) decide(request);
  await turn();
  expect(sent).toEqual(["a", "b not durable", "c"]);
});

test("what is said without a receipt leaves after what was decided before it, and alone where nothing was", async () => {
  const { group, sent, connection, decide } = setUp();
  group.say(connection, "hello");
  decide("a");
  group.say(connection, "error");
  group.say(connection, "health");
  decide("b");
  expect(sent).toEqual([]);
  await turn();
  expect(sent).toEqual(["hello", "a", "error", "health", "b"]);
});

test("a question that an answer lets in is decided in a turn of its own, and is not forgotten", async () => {
  const { group, groups, sent, connection, decide } = setUp();
  group.decide({ request: "first" } as DecisionRecord, () => {
    group.speak(connection, "first");
    decide("next");
  });
  await turn();
  expect(group.empty).toBe(false);
  await turn();
  expect(groups).toEqual([["first"], ["next"]]);
  expect(sent).toEqual(["first", "next"]);
});

test("a flush by hand empties the group at once", () => {
  const { group, sent, decide } = setUp();
  decide("a");
  group.flush();
  expect(sent).toEqual(["a"]);
  expect(group.empty).toBe(true);
});
