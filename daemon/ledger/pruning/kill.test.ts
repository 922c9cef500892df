import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { openReceiptReader } from "../../store/sqlite/read-receipts.ts";
import { moduleAt, runModule } from "../../store/sqlite/test-processes.ts";
import { fsck } from "../commands/fsck.ts";
import { verify } from "../commands/verify.ts";
import { temporaryState } from "../test-state.ts";
import { nothingGiven } from "../verification/test-given.ts";

const pruner = moduleAt(new URL("./test-prune-loop.ts", import.meta.url));

test("a prune that is killed at any moment was done whole, or not begun", async () => {
  const directory = temporaryState();
  const place = { state: directory.path, store: "sqlite" };
  let pruned = 0;
  for (let round = 0; round < 8; round++) {
    const child = runModule(pruner, [directory.path]);
    let killing: Promise<void> | null = null;
    for await (const line of child.lines) {
      pruned = Number(line);
      killing ??= after(5 + Math.random() * 60).then(() => child.kill());
    }
    await killing;
    const reader = openReceiptReader(directory);
    expect(reader.mark()?.through).toBeGreaterThanOrEqual(pruned);
    reader.close();
    const verdict = await verify(place, { ...nothingGiven, json: true, progress: () => {} });
    const [line = ""] = [...(verdict.lines as Iterable<string>)];
    expect(JSON.parse(line)).toMatchObject({ whole: true, finding: null });
    const looked = await fsck(place, { json: true });
    // A kill while the checkpoint's file was written may leave what was written so far.
    const [found = ""] = [...(looked.lines as Iterable<string>)];
    expect(
      JSON.parse(found).findings.filter(({ problem }: { problem: string }) => problem !== "file_left_over"),
    ).toEqual([]);
  }
  expect(pruned).toBeGreaterThan(100);
}, 120_000);
