import { expect, test, vi } from "vitest";
import { parseSurfaceBody } from "./parse-surface.ts";
import { body, keep, taken, tool } from "./test-keeper.ts";

vi.mock("./limits.ts", async (original) => ({
  ...(await original<object>()),
  maxKnownItems: 10,
  maxSurfaceLength: 2_000,
}));

const of = (server: string, count: number) =>
  parseSurfaceBody({ ...body(Array.from({ length: count }, (_, at) => tool(`t${at}`))), server });

test("items of all servers together are bounded; a server that offers no more than before is judged as before", async () => {
  const { keeper } = await keep();
  await taken(keeper, of("one", 2));
  await taken(keeper, of("two", 3));
  expect(await keeper.report(of("three", 1))).toEqual({ kind: "too_many_items" });
  expect(await keeper.report(of("one", 3))).toEqual({ kind: "too_many_items" });
  expect(await keeper.report(of("one", 2))).toMatchObject({ kind: "taken" });
  expect(await keeper.report(of("two", 2))).toMatchObject({ kind: "taken" });
  expect(keeper.list().map(({ record }) => record.server)).toEqual(["one", "two"]);
});

test("definitions that are too long together are no listing, though each alone is one", () => {
  const long = (at: number) => tool(`t${at}`, { description: "x".repeat(700) });
  expect(parseSurfaceBody(body([long(0), long(1)])).items).toHaveLength(2);
  expect(() => parseSurfaceBody(body([long(0), long(1), long(2)]))).toThrow(
    /^tools\[2\] and what stands before it are longer than 2000 characters$/,
  );
});
