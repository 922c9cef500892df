import { afterEach, expect, it } from "vitest";
import { receiptsKey } from "../../daemon/ledger/checkpoints/receipts-key.ts";
import { CheckpointSigner } from "../../daemon/ledger/checkpoints/signer.ts";
import { openConfiguredLedger } from "../../daemon/ledger/open-configured.ts";
import { decision, start_ms } from "../../daemon/ledger/test-records.ts";
import { openCheckpoints } from "../../daemon/store/open-checkpoints.ts";
import { findStateDirectory } from "../../daemon/store/state-directory.ts";
import { ask } from "../kit/asking.ts";
import { type Daemon, interlock, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { plainRule, ruleModule } from "../kit/rules.ts";

let daemon: Daemon | null = null;
afterEach(async () => {
  await daemon?.kill();
  daemon = null;
});

/** Receipts of some time ago in a place's own ledger, a checkpoint after each fifty. */
const recordLongAgo = async ({ state, home }: Place): Promise<void> => {
  const settings = { state, store: "sqlite", durability: "process", deployment_key: `${home}/deployment.key` } as const;
  const ledger = await openConfiguredLedger(settings, null, start_ms);
  const directory = findStateDirectory(state);
  const store = await openCheckpoints(settings);
  const signer = new CheckpointSigner({
    store,
    directory,
    key: await receiptsKey(directory.receiptsKeyPath, true),
    pace: { receipts: 1, after_ms: 0 },
    now_ms: () => start_ms,
    monotonic_ms: () => 0,
  });
  for (let n = 0; n < 4; n++) {
    await ledger.append(Array.from({ length: 50 }, () => decision()));
    await ledger.settle();
    await signer.last();
  }
  await store.close();
  await ledger.close();
};

it("an operator has the daemon prune what is old, and calls, restarts and verifiers go on", async () => {
  const place = await makePlace(ruleModule(plainRule()));
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await interlock(place, args);
    return { code, said: stdout + stderr };
  };
  daemon = await startDaemon(place);
  await daemon.stop();
  await recordLongAgo(place);
  daemon = await startDaemon(place);
  expect(await run("operators", "add", "ann")).toMatchObject({ code: 0 });
  expect(await run("receipts", "prune", "--before", "soon")).toMatchObject({ code: 2 });
  const pruned = await run("receipts", "prune", "--before", "150");
  expect(pruned).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^receipts 1 to 1[0-4]\d are pruned; a mark stands for them\n$/),
  });
  const [, through = ""] = /1 to (\d+)/.exec(pruned.said) ?? [];
  const verified = await run("receipts", "verify");
  expect(verified).toMatchObject({ code: 0 });
  expect(verified.said).toMatch(new RegExp(`^receipts 1 to ${through}: receipt \\d+ says that they were pruned$`, "m"));
  expect(await run("receipts", "tail", "-n", "20")).toMatchObject({
    said: expect.stringContaining(`CONTROL receipts_pruned "through ${through}:`),
  });
  expect(await run("receipts", "show", "7")).toMatchObject({
    code: 2,
    said: expect.stringContaining("receipt 7 was pruned"),
  });
  expect(await run("receipts", "fsck")).toMatchObject({ code: 0 });
  expect((await ask(place, "plain", {})).verdict).toBe("ALLOW");
  await daemon.kill();
  daemon = await startDaemon(place);
  expect((await ask(place, "plain", {})).verdict).toBe("ALLOW");
  expect(await run("receipts", "prune", "--before", "150")).toMatchObject({
    code: 0,
    said: expect.stringContaining("nothing was pruned"),
  });
  expect(await run("receipts", "verify", "--json")).toMatchObject({ code: 0 });
  const last = (await daemon.stop()).code;
  daemon = null;
  expect(last).toBe(0);
  expect(await run("receipts", "prune", "--before", "150")).toMatchObject({
    code: 5,
    said: expect.stringContaining("no answer at"),
  });
  expect(await run("receipts", "verify")).toMatchObject({ code: 0 });
}, 120_000);
