import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../../test/kit/services/services.ts";
import { Connection } from "../../store/postgres/connection.ts";
import { openConfiguredLedger } from "../open-configured.ts";
import type { OpenLedger } from "../record.ts";
import { control, decision, start_ms } from "../test-records.ts";
import { temporaryDirectory } from "../test-state.ts";
import { exportAll, nothingGiven } from "../verification/test-given.ts";
import { checkStored } from "./check.ts";
import { claims } from "./claims.ts";
import { erase } from "./erase.ts";
import { exportReceipts } from "./export.ts";
import type { CommandOutput } from "./output.ts";
import { show } from "./show.ts";
import { tail } from "./tail.ts";
import { verify, verifyExportFile } from "./verify.ts";

const quiet = { ...nothingGiven, json: false, progress: () => {} };

const linesOf = async ({ lines }: CommandOutput): Promise<string[]> => {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
};

let place: { state: string; store: string };
let ledger: OpenLedger;
beforeEach(async () => {
  const home = temporaryDirectory();
  place = { state: join(home, "state"), store: await freshDatabase() };
  const settings = { ...place, durability: "process" as const, deployment_key: join(home, "deployment.key") };
  ledger = await openConfiguredLedger(settings, null, start_ms);
  await ledger.appendControl(control());
  await ledger.append([decision({ request: "r-1" }), decision({ request: "r-2" })]);
  return async () => ledger.close();
});

test("receipts on PostgreSQL are read beside the daemon: tail, show, verify against a head, export", async () => {
  const once = { count: 2, follow: false, json: true, signal: new AbortController().signal };
  const newest = (await linesOf(await tail(place, once))).map((line) => JSON.parse(line).receipt.request);
  expect(newest).toEqual(["r-1", "r-2"]);
  expect(await linesOf(await show(place, 3, { json: false, salt: false }))).toContain("request: r-2");
  expect(await show(place, 9, { json: false, salt: false })).toMatchObject({ exitCode: 2 });
  const expectHead = (await linesOf(await verify(place, quiet)))[1]?.replace("head ", "") ?? "";
  await ledger.append([decision()]);
  expect(await verify(place, { ...quiet, expectHead })).toMatchObject({ exitCode: 0, error: null });
  const exported = await linesOf(await exportReceipts(place, { ...exportAll, from: 2 }));
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(exported.map((line) => `${line}\n`).join(""));
  }
  expect(await verifyExportFile(chunks(), { ...quiet, chain: ledger.chain })).toMatchObject({ exitCode: 0 });
});

test("a salt is erased once, and the chain stays whole", async () => {
  expect(await erase(place, 2, null)).toMatchObject({ exitCode: 0 });
  expect(await erase(place, 2, null)).toMatchObject({ exitCode: 2, error: "receipt 2 has no salt to erase" });
  for (const seq of [1, 9, 0, -1, 1.5]) expect(await erase(place, seq, null)).toMatchObject({ exitCode: 2 });
  expect(await verify(place, quiet)).toMatchObject({ exitCode: 0 });
});

test("each salt of a receipt is erased alone, and what is left is checked and counted", async () => {
  const finalCanonical = '{"amount":50}';
  await ledger.append([decision({ finalCanonical })]);
  expect(await erase(place, 4, "arguments")).toMatchObject({ exitCode: 0 });
  expect(await erase(place, 4, "arguments")).toMatchObject({ exitCode: 2 });
  expect(await erase(place, 4, "response")).toMatchObject({ exitCode: 2 });
  const context = join(place.state, "context.json");
  writeFileSync(context, '{"action":"refund","final":{"amount":50}}');
  const options = { ...quiet, context };
  expect(await checkStored(place, 4, options)).toMatchObject({ exitCode: 0 });
  expect(await checkStored(place, 3, options)).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining("context_mismatch: final"),
  });
  expect(await erase(place, 4, "final")).toMatchObject({ exitCode: 0 });
  expect((await checkStored(place, 4, options)).error).toContain("context_incomplete: salt");
  expect(await linesOf(await claims(place, { seq: 2 }, false))).toContain(
    "executed after we knew: yes (2 let run, 0 results reported, receipts 3 to 4)",
  );
});

test("a receipt that was edited past the trigger is named", async () => {
  const connection = new Connection(place.store);
  await connection.query(
    `ALTER TABLE interlock.receipts DISABLE TRIGGER receipts_stay;
     UPDATE interlock.receipts SET receipt = replace(receipt, 'r-1', 'r-9') WHERE seq = 2`,
  );
  await connection.close();
  expect(await verify(place, quiet)).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining("receipt 2: edited"),
  });
});

test("a state directory that names no chain, and a server that is away, end with 5", async () => {
  const away = { ...place, store: "postgres://me:secret@127.0.0.1:1/none" };
  const gone = await verify(away, quiet);
  expect(gone).toMatchObject({ exitCode: 5, error: expect.stringContaining("cannot be reached (ECONNREFUSED)") });
  expect(gone.error).not.toContain("secret");
  rmSync(join(place.state, "chain"));
  expect(await verify(place, quiet)).toMatchObject({ exitCode: 5, error: expect.stringContaining("names no chain") });
  expect(await erase(place, 2, null)).toMatchObject({ exitCode: 5 });
});
