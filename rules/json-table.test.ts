import { mkdtemp, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jsonTable } from "interlock/rules";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "interlock-table-"));
  path = join(folder, "orders.json");
});
afterEach(() => rm(folder, { recursive: true }));

describe("a JSON table", () => {
  it("finds a row, and nothing for a key that is not its own", async () => {
    await writeFile(path, '{"ORD-1":{"customer":"c1"}}');
    const orders = jsonTable(path);
    expect(await orders("ORD-1")).toEqual({ customer: "c1" });
    for (const key of ["ORD-2", "toString", "__proto__", 1, null, ["ORD-1"]]) expect(await orders(key)).toBeUndefined();
  });

  it("sees a file that was replaced", async () => {
    await writeFile(path, '{"a":1}');
    const table = jsonTable(path);
    expect(await table("a")).toBe(1);
    await writeFile(`${path}.new`, '{"a":2}');
    await rename(`${path}.new`, path);
    expect(await table("a")).toBe(2);
  });

  it.each([
    ["is missing", undefined],
    ["is not JSON", "{"],
    ["is a list", "[]"],
    ["is null", "null"],
  ])("throws when its file %s", async (_what, text) => {
    if (text !== undefined) await writeFile(path, text);
    await expect(jsonTable(path)("a")).rejects.toThrow();
  });

  it("throws when its file is too large", async () => {
    await writeFile(path, "{}");
    await truncate(path, 17 * 1024 * 1024);
    await expect(jsonTable(path)("a")).rejects.toThrow(RangeError);
  });
});
