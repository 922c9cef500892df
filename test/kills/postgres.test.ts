import { test } from "vitest";
import { shortDirectory } from "../kit/place.ts";
import { startProxy } from "../kit/services/proxy.ts";
import { freshDatabase } from "../kit/services/services.ts";
import { PostgresStore } from "./postgres-store.ts";
import { runMatrix } from "./run-matrix.ts";

test("on PostgreSQL: killed at each step of submit, resume, vote and recovery, a call runs once at most, each verdict has its receipt, and what nobody knows is unknown", async () => {
  const base = shortDirectory();
  const proxy = await startProxy(await freshDatabase());
  await runMatrix("PostgreSQL", 32, (name) => new PostgresStore(base, proxy, name));
}, 600_000);
