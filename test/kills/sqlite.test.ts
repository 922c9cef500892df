import { test } from "vitest";
import { shortDirectory } from "../kit/place.ts";
import { runMatrix } from "./run-matrix.ts";
import { SqliteStore } from "./sqlite-store.ts";

test("on SQLite: killed at each step of submit, resume, vote and recovery, a call runs once at most, each verdict has its receipt, and what nobody knows is unknown", async () => {
  const base = shortDirectory();
  await runMatrix("SQLite", 42, (name) => new SqliteStore(base, name));
}, 300_000);
