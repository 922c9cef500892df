import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freshDatabase } from "../../../test/kit/services/services.ts";
import { openCheckpoints } from "../../store/open-checkpoints.ts";
import type { ReceiptPlace } from "../../store/receipt-reader.ts";
import { openStateDirectory, type StateDirectory } from "../../store/state-directory.ts";
import { receiptsKey } from "../checkpoints/receipts-key.ts";
import { CheckpointSigner } from "../checkpoints/signer.ts";
import { exportReceipts } from "../commands/export.ts";
import type { CommandOutput } from "../commands/output.ts";
import { prove } from "../commands/prove.ts";
import { show } from "../commands/show.ts";
import { tail } from "../commands/tail.ts";
import { verify, verifyExportFile } from "../commands/verify.ts";
import { openConfiguredLedger } from "../open-configured.ts";
import type { OpenLedger } from "../record.ts";
import { control, decision, start_ms } from "../test-records.ts";
import { temporaryDirectory, temporaryState } from "../test-state.ts";
import { exportAll, nothingGiven } from "../verification/test-given.ts";
import { type PruneBound, pruneStep, youngestPruned_ms } from "./prune.ts";
import { retention } from "./retention.ts";

const linesOf = async ({ lines }: CommandOutput): Promise<string[]> => {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
};
async function* bytes(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(lines.map((line) => `${line}\n`).join(""));
}
const quiet = { ...nothingGiven, json: true, progress: () => {} };
const later_ms = start_ms + 10 * youngestPruned_ms;

const kinds: [string, () => Promise<ReceiptPlace & { readonly directory: StateDirectory }>][] = [
  [
    "SQLite",
    async () => {
      const directory = temporaryState();
      return { state: directory.path, store: "sqlite", directory };
    },
  ],
  [
    "PostgreSQL",
    async () => {
      const directory = openStateDirectory(`${temporaryDirectory()}/state`);
      return { state: directory.path, store: await freshDatabase(), directory };
    },
  ],
];

describe.each(kinds)("on %s", (_kind, make) => {
  let place: Awaited<ReturnType<typeof make>>;
  let ledger: OpenLedger;
  let sign: () => Promise<void>;

  /** Receipts a second apart, a checkpoint at every tenth. */
  beforeEach(async () => {
    place = await make();
    const { state, store, directory } = place;
    const settings = {
      state,
      store,
      durability: "process",
      deployment_key: `${temporaryDirectory()}/deployment.key`,
    } as const;
    ledger = await openConfiguredLedger(settings, null, start_ms);
    await ledger.appendControl(control({ time_ms: start_ms }));
    const checkpoints = await openCheckpoints(place);
    const key = await receiptsKey(directory.receiptsKeyPath, false);
    const pace = { receipts: 10, after_ms: 0 };
    const parts = { store: checkpoints, directory, key, pace, now_ms: () => start_ms, monotonic_ms: () => 0 };
    const signer = new CheckpointSigner(parts);
    sign = async () => {
      await ledger.settle();
      await signer.last();
    };
    for (let n = 2; n <= 100; n++) {
      const time_ms = start_ms + n * 1_000;
      if (n % 7 === 0) await ledger.appendControl(control({ time_ms }));
      else await ledger.append([decision({ request: `r-${n}`, call_id: `c-${n}`, time_ms })]);
      if (n % 10 === 0) await sign();
    }
  });
  afterEach(async () => ledger.close());

  const prune = (bound: PruneBound, now_ms = later_ms): Promise<number | null> =>
    pruneStep(ledger, { bound, by: "operator:alice", rules: "sha256:rules", now_ms });
  const verdict = async (): Promise<Record<string, unknown>> =>
    JSON.parse((await linesOf(await verify(place, quiet)))[0]!);

  test("the oldest receipts are gone through a checkpoint, and everything that reads the chain goes on", async () => {
    expect(await prune({ kind: "before_seq", seq: 48 })).toBe(40);
    expect(await verdict()).toMatchObject({
      whole: true,
      receipts: 61,
      pruned_at: 101,
      checkpoints: { signed_through: 100 },
    });
    const exported = await linesOf(await exportReceipts(place, exportAll));
    expect(exported.filter((line) => line.startsWith('{"hash"'))).toHaveLength(61);
    const keys = [`${place.directory.receiptsKeyPath}.pub`];
    const again = await verifyExportFile(bytes(exported), { ...quiet, keys, chain: null });
    expect(JSON.parse((await linesOf(again))[0]!)).toMatchObject({ whole: true, pruned_at: 101 });
    expect(await show(place, 40, { json: false, salt: false })).toMatchObject({
      exitCode: 2,
      error: "receipt 40 was pruned; the oldest is 41",
    });
    expect((await show(place, 41, { json: false, salt: false })).exitCode).toBe(0);
    const all = { count: 1_000, follow: false, json: true, signal: new AbortController().signal };
    expect(await linesOf(await tail(place, all))).toHaveLength(61);
    await sign();
    for (const seq of [41, 101]) {
      expect(await prove(place, seq, { consistency: null, fromSize: null, progress: () => {} })).toMatchObject({
        exitCode: 0,
      });
    }
    expect(await prove(place, 7, { consistency: null, fromSize: null, progress: () => {} })).toMatchObject({
      exitCode: 2,
    });
    expect(await verdict()).toMatchObject({ whole: true, receipts: 61, checkpoints: { signed_through: 101 } });
  });

  test("it is done again and again, and the newest mark stands for all", async () => {
    for (const [seq, through] of [
      [11, 10],
      [31, 30],
      [31, null],
      [100, 90],
    ] as const) {
      expect(await prune({ kind: "before_seq", seq })).toBe(through);
      expect(await verdict()).toMatchObject({ whole: true });
    }
    expect(await verdict()).toMatchObject({ receipts: 13 });
  });

  test("what is younger than a question may be asked again stays, whatever is ordered", async () => {
    const all: PruneBound = { kind: "before_seq", seq: 1_000 };
    expect(await prune(all, start_ms)).toBeNull();
    // Receipt 50 was written 50 s after the start.
    expect(await prune(all, start_ms + youngestPruned_ms + 50_500)).toBe(50);
  });

  test("the newest receipt stays, and what it links to is the mark", async () => {
    const all: PruneBound = { kind: "before_seq", seq: Number.MAX_SAFE_INTEGER };
    expect(await prune(all)).toBe(90);
    await sign();
    expect(await prune(all)).toBe(100);
    expect(await prune(all)).toBeNull();
    expect(await verdict()).toMatchObject({ whole: true, receipts: 2 });
  });

  test("by time, and by the setting's days", async () => {
    expect(await prune({ kind: "before_time", time_ms: start_ms + 30_001 })).toBe(30);
    const retain = retention(
      ledger,
      1,
      () => "sha256:rules",
      () => start_ms + 86_400_000 + 70_001,
    );
    await Promise.all([retain(), retain()]);
    expect((await ledger.checkpoints.mark())?.through).toBe(70);
    expect(await verdict()).toMatchObject({ whole: true });
  });

  test("a checkpoint that is not of these receipts stands for nothing, and nothing is gone", async () => {
    const store = await openCheckpoints(place);
    const [forty, fifty] = [(await store.find(40))!, (await store.find(50))!];
    await store.replaceNote(50, fifty.note, forty.note);
    await store.close();
    await expect(prune({ kind: "before_seq", seq: 51 })).rejects.toMatchObject({ name: "StoreFailed" });
    expect(await ledger.find(1)).not.toBeNull();
  });

  test("a mark without the receipt that tells of it is found", async () => {
    const mark = {
      through: 10,
      hash: (await ledger.find(10))!.hash,
      frontier: ["a".repeat(64), "b".repeat(64)],
      time_ms: 0,
    };
    await ledger.change(function* (tx) {
      yield tx.prune(mark);
    });
    expect(await verdict()).toMatchObject({ whole: false, finding: { seq: 10, problem: "frontier_mismatch" } });
  });
});
