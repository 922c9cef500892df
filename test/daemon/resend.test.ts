import { afterAll, beforeAll, expect, test } from "vitest";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import type { FeatureName } from "../../wire/features.ts";
import { type Daemon, type Receipt, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { eventLine, helloLine } from "../kit/frames.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { plainRule, rule, ruleModule } from "../kit/rules.ts";

/** The rewrite differs each time that it is made: only a kept one can come back the same. */
const source = ruleModule(
  [
    plainRule(),
    rule("rewrites", "return rewrite({ made: event.args.made ?? String(Math.random()) });"),
    rule(
      "slow",
      `await context.lookup("later", "k"); return rewrite({ made: event.args.made ?? String(Math.random()) });`,
      {
        async: true,
      },
    ),
  ].join(",\n"),
  { more: "resolvers: { later: () => new Promise((resolve) => setTimeout(resolve, 500)) }, deadline_ms: 5000," },
);

let place: Place;
let daemon: Daemon;
beforeAll(async () => {
  place = await makePlace(source);
  daemon = await startDaemon(place);
});
afterAll(async () => {
  await daemon.stop();
});

let nonces = 0;
const newNonce = (): string => `nonce-of-a-test-${++nonces}`.padEnd(24, "x");

const connect = async (nonce: string, features?: readonly FeatureName[]): Promise<RawConnection> => {
  const connection = await RawConnection.open(place.socket, 5_000);
  connection.send(helloLine(nonce, features));
  await connection.line(5_000);
  return connection;
};

/** Puts one line on a new connection of this session, and reads its answer. */
const put = async (nonce: string, line: Buffer): Promise<string> => {
  const connection = await connect(nonce);
  connection.send(line);
  const answer = (await connection.line(5_000)).toString();
  connection.drop();
  return answer;
};

/** Puts one line, and cuts the connection off without reading the answer. */
const lose = async (nonce: string, line: Buffer): Promise<void> => {
  const before = (await receipts()).length;
  const connection = await connect(nonce);
  connection.send(line);
  await until("the decision is recorded", async () => (await receipts()).length > before);
  connection.drop();
};

const receipts = async (): Promise<readonly Receipt[]> =>
  (await receiptsOf(place)).filter(({ kind }) => kind === "decision");

const blockedAs = (code: string) => ({ verdict: 1, details: { code } });

test("an answer that was lost is given again under the same nonce and id, with no second receipt", async () => {
  const nonce = newNonce();
  const line = eventLine("a", "rewrites", { n: 1 });
  await lose(nonce, line);
  const count = (await receipts()).length;
  const answers = [await put(nonce, line), await put(nonce, line)];
  expect(JSON.parse(answers[0] as string)).toMatchObject({ verdict: 2, modified_args: { n: 1 } });
  expect(answers[1]).toBe(answers[0]);
  expect((await receipts()).length).toBe(count);
});

test("a question that is still being judged is judged once, and answered each time that it was asked", async () => {
  const nonce = newNonce();
  const line = eventLine("p", "slow", { n: 1 });
  const count = (await receipts()).length;
  const first = await connect(nonce);
  first.send(line);
  const second = await connect(nonce);
  second.send(line);
  const answer = (await second.line(5_000)).toString();
  expect(JSON.parse(answer)).toMatchObject({ verdict: 2, id: "p" });
  expect((await first.line(5_000)).toString()).toBe(answer);
  first.drop();
  second.drop();
  expect((await receipts()).length).toBe(count + 1);
});

test("the same id with other arguments is a block, of a decided question and of one being judged", async () => {
  const nonce = newNonce();
  await lose(nonce, eventLine("b", "plain", { n: 1 }));
  const count = (await receipts()).length;
  expect(JSON.parse(await put(nonce, eventLine("b", "plain", { n: 2 })))).toMatchObject(blockedAs("resend_mismatch"));
  expect(JSON.parse(await put(nonce, eventLine("b", "rewrites", { n: 1 })))).toMatchObject(
    blockedAs("resend_mismatch"),
  );
  const first = await connect(nonce);
  first.send(eventLine("s", "slow", { n: 1 }));
  const second = await connect(nonce);
  second.send(eventLine("s", "slow", { n: 2 }));
  expect(JSON.parse((await second.line(5_000)).toString())).toMatchObject(blockedAs("resend_mismatch"));
  expect(JSON.parse((await first.line(5_000)).toString())).toMatchObject({ verdict: 2, modified_args: { n: 1 } });
  first.drop();
  second.drop();
  expect((await receipts()).length).toBe(count + 1);
});

test("the same id as another principal, or for another call, is a block", async () => {
  const nonce = newNonce();
  await lose(nonce, eventLine("c", "plain", { n: 1 }, { principal: "alice", call_id: "1" }));
  for (const identity of [{ principal: "mallory", call_id: "1" }, { call_id: "1" }, { principal: "alice" }]) {
    const answer = await put(nonce, eventLine("c", "plain", { n: 1 }, identity));
    expect(JSON.parse(answer)).toMatchObject(blockedAs("resend_mismatch"));
  }
});

test("another nonce, and the same nonce under other features, are other sessions: judged anew", async () => {
  const nonce = newNonce();
  const line = eventLine("d", "rewrites", { n: 1 });
  const first = await put(nonce, line);
  const count = (await receipts()).length;
  expect(await put(newNonce(), line)).not.toBe(first);
  const other = await connect(nonce, ["call_id", "details", "resend"]);
  other.send(line);
  expect((await other.line(5_000)).toString()).not.toBe(first);
  other.drop();
  expect((await receipts()).length).toBe(count + 2);
});

test("after SIGKILL and a new start a kept rewrite comes back byte for byte, and a kept block too", async () => {
  const nonce = newNonce();
  const lines = [eventLine("e", "rewrites", { n: 1 }), eventLine("f", "plain", { bad: true })];
  const before = [await put(nonce, lines[0] as Buffer), await put(nonce, lines[1] as Buffer)];
  await daemon.kill();
  daemon = await startDaemon(place);
  const count = (await receipts()).length;
  expect([await put(nonce, lines[0] as Buffer), await put(nonce, lines[1] as Buffer)]).toEqual(before);
  expect(JSON.parse(await put(nonce, eventLine("e", "rewrites", { n: 2 })))).toMatchObject(
    blockedAs("resend_mismatch"),
  );
  expect((await receipts()).length).toBe(count);
});

test("without the feature nothing is kept: the same question is judged again", async () => {
  const nonce = newNonce();
  const features: readonly FeatureName[] = ["call_id", "details"];
  const answers: string[] = [];
  const count = (await receipts()).length;
  for (let n = 0; n < 2; n++) {
    const connection = await connect(nonce, features);
    connection.send(eventLine("g", "rewrites", { n: 1 }));
    answers.push((await connection.line(5_000)).toString());
    connection.drop();
  }
  expect(answers[0]).not.toBe(answers[1]);
  const made = (await receipts()).slice(count);
  expect(made.map(({ session, kept }) => ({ session, kept }))).toEqual([
    { session: null, kept: false },
    { session: null, kept: false },
  ]);
});
