import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { StopRow } from "../store/stop-rows.ts";
import { reasonIn } from "./reason.ts";
import { lookAtStopFile } from "./stop-file.ts";
import { StopSwitch } from "./stop-switch.ts";

const row = (stop_id: string, ended_ms: number | null = null): StopRow => ({
  stop_id,
  begun_ms: 1_000,
  begun_by: "operator:ann",
  reason: "why",
  ended_ms,
  ended_by: null,
  end_reason: null,
});

const file = { since_ms: 1, uid: 0, reason: "" };

describe("everything is blocked while any of these holds, and each is over only by itself", () => {
  test("a stop that is not in the store yet, then is, then is ended", () => {
    let begun = 0;
    const stop = new StopSwitch(() => begun++);
    expect(stop.block).toBeNull();
    stop.begins(row("st_1"), 5_000);
    expect([stop.block?.code, stop.begun_ms, begun]).toEqual(["stopped", 5_000, 1]);
    stop.isWritten(row("st_1"));
    expect([stop.block?.code, stop.unwritten, stop.standing]).toEqual(["stopped", [], [row("st_1")]]);
    // What the store says next is no news.
    expect(stop.told([row("st_1")], 6_000)).toEqual({ begun: [], ended: [] });
    stop.isEnded("st_1");
    expect([stop.block, stop.begun_ms]).toEqual([null, 5_000]);
  });

  test("two stops: one that is ended leaves the other", () => {
    const stop = new StopSwitch(() => undefined);
    expect(stop.told([row("st_1"), row("st_2")], 1_000).begun).toHaveLength(2);
    expect(stop.told([row("st_1", 2_000), row("st_2")], 2_000).ended).toEqual([row("st_1")]);
    expect(stop.block?.code).toBe("stopped");
    stop.told([row("st_1", 2_000), row("st_2", 3_000)], 3_000);
    expect(stop.block).toBeNull();
  });

  test("one that began and ended between two looks blocks nothing, and is a stop for what was allowed before it", () => {
    let begun = 0;
    const stop = new StopSwitch(() => begun++);
    stop.told([row("st_1", 1_500)], 9_000);
    expect([stop.block, stop.begun_ms, begun]).toEqual([null, 9_000, 1]);
  });

  test("a store that cannot tell may say that everything is stopped", () => {
    const stop = new StopSwitch(() => undefined);
    stop.isUntold(1_000);
    expect(stop.block?.code).toBe("stop_unknown");
    stop.told([], 2_000);
    expect([stop.block, stop.begun_ms]).toEqual([null, 1_000]);
  });

  test("the file, beside a stop in the store", () => {
    const stop = new StopSwitch(() => undefined);
    expect([stop.sees(file, 1_000), stop.sees(file, 2_000)]).toEqual([true, false]);
    stop.told([row("st_1")], 3_000);
    stop.sees(null, 4_000);
    expect(stop.block?.code).toBe("stopped");
    stop.told([], 5_000);
    expect(stop.block).toBeNull();
    stop.sees(file, 6_000);
    stop.told([], 7_000);
    expect(stop.block?.reason).toContain("STOP");
  });
});

describe("the file", () => {
  const directory = mkdtempSync(join(tmpdir(), "il-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const at = (name: string): string => join(directory, name);

  test("is not there, and is there with its first line and its owner", () => {
    expect(lookAtStopFile(at("none"))).toBeNull();
    writeFileSync(at("a"), "ticket 7\u0007\nmore\n");
    expect(lookAtStopFile(at("a"))).toMatchObject({ reason: "ticket 7", uid: process.getuid?.() });
    writeFileSync(at("empty"), "");
    expect(lookAtStopFile(at("empty"))).toMatchObject({ reason: "" });
  });

  test("counts as there whatever it is, and where it cannot be told", () => {
    mkdirSync(at("folder"));
    symlinkSync(at("nowhere"), at("link"));
    for (const name of ["folder", "link"]) expect(lookAtStopFile(at(name))).toMatchObject({ reason: "" });
    // A part of its path is a file: neither there nor not there.
    expect(lookAtStopFile(at("a/STOP"))).toMatchObject({ since_ms: null, uid: null });
  });
});

test("a reason is one line of at most 256 bytes, whole characters", () => {
  expect(reasonIn(" a\r\nb\u0000 ")).toBe("a b");
  expect(Buffer.byteLength(reasonIn("é".repeat(300)))).toBe(256);
  expect(reasonIn("\ud800x")).toBe("\ufffdx");
});
