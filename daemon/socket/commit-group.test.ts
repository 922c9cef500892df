import { expect, test } from "vitest";
import type { CommitResult, DecisionRecord, Entry, Ledger } from "../ledger/record.ts";
import { CommitGroup } from "./commit-group.ts";
import type { Connection } from "./connection.ts";

/** A ledger that notes which records were appended together, and what had been flushed by then. */
const stands: CommitResult = { outcome: "durable", seq: 1, settled: null };
const asEntry = (request: string): Entry => ({ plan: null, record: () => ({ request }) as DecisionRecord });

const setUp = (results: (request: string) => CommitResult = () => stands) => {
  const groups: string[][] = [];
  const sent: string[] = [];
  let sentBefore: string[] = [];
  const ledger = {
    commit: (entries: readonly Entry[]) => {
      const requests = entries.map((entry) => (entry.record(null) as DecisionRecord).request);
      groups.push(requests);
      sentBefore = [...sent];
      return requests.map(results);
    },
  } as Pick<Ledger, "commit"> as Ledger;
  const said: string[] = [];
  const connection = {
    say: (frame: string) => void said.push(frame),
    flush: () => void sent.push(...said.splice(0)),
  } as Pick<Connection, "say" | "flush"> as Connection;
  const group = new CommitGroup(ledger);
  const decide = (request: string): void =>
    group.decide(asEntry(request), ({ outcome }) =>
      group.speak(connection, outcome === "durable" ? request : `${request} not durable`),
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
  const { sent, decide } = setUp((request) => (request === "b" ? { outcome: "not_durable", error: "full" } : stands));
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
  group.decide(asEntry("first"), () => {
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

test("while a store that answers later has a group, the next one gathers, and nothing leaves before its own", async () => {
  const { sent, connection } = setUp();
  const groups: number[] = [];
  const stored: (() => void)[] = [];
  const ledger = {
    commit: (entries: readonly Entry[]) => {
      groups.push(entries.length);
      return new Promise<CommitResult[]>((resolve) => stored.push(() => resolve(entries.map(() => stands))));
    },
  } as Pick<Ledger, "commit"> as Ledger;
  const later = new CommitGroup(ledger);
  const decide = (request: string): void => later.decide(asEntry(request), () => later.speak(connection, request));
  decide("a");
  await turn();
  decide("b");
  decide("c");
  await turn();
  expect([groups, sent]).toEqual([[1], []]);
  stored.shift()?.();
  await turn();
  await turn();
  expect([groups, sent]).toEqual([[1, 2], ["a"]]);
  stored.shift()?.();
  await turn();
  await turn();
  expect(sent).toEqual(["a", "b", "c"]);
  expect(later.empty).toBe(true);
});

test("a store that fails where it never should costs a block, not an answer that never comes", async () => {
  const { sent, connection } = setUp();
  const ledger = { commit: () => Promise.reject(new Error("secret")) } as Partial<Ledger> as Ledger;
  const group = new CommitGroup(ledger);
  group.decide(asEntry("a"), ({ outcome }) => group.speak(connection, outcome));
  await turn();
  await turn();
  expect(sent).toEqual(["not_durable"]);
});
