import type { Guard } from "../ask.ts";
import type { GroupOptions } from "../group.ts";
import type { Patches } from "../patch.ts";
import { guardNodeFiles } from "./node-files.ts";
import { guardReports } from "./reports.ts";
import { guardSnapshots } from "./snapshots.ts";
import { guardSqlite } from "./sqlite.ts";
import { guardWasi } from "./wasi.ts";

/** Files that Node reaches without `fs`: databases, folders of WebAssembly programs, and those it reads or writes by itself. */
export const install = (patches: Patches, guard: Guard, _options: GroupOptions): void => {
  guardSqlite(patches, guard);
  guardWasi(patches, guard);
  guardSnapshots(patches, guard);
  guardReports(patches, guard);
  guardNodeFiles(patches, guard);
};
