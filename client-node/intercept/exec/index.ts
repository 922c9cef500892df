import child_process from "node:child_process";
import type { Guard } from "../ask.ts";
import type { GroupOptions } from "../group.ts";
import type { Patches } from "../patch.ts";
import { runs, starts } from "./forms.ts";
import { guardedStart, guardedSync } from "./functions.ts";
import { inheritanceOf } from "./inheritance.ts";
import { guardLoaderThreads } from "./loader-threads.ts";
import { notInside } from "./not-inside.ts";
import { guardProcess } from "./process-functions.ts";
import { guardProcessStart } from "./process-start.ts";
import { guardWorkers } from "./worker.ts";

/**
 * Starting a process or a thread, and the functions of `process` that reach another process or beneath the guard:
 *
 *     exec -> execFile -> spawn ─┐
 *                         fork ──┴-> ChildProcess.spawn -> its handle       asked for once, under the name that was called
 *     execSync, execFileSync, spawnSync                                     asked for by themselves
 */
export const install = (patches: Patches, outer: Guard, options: GroupOptions): void => {
  const guard = notInside(outer);
  const inheritance = inheritanceOf(options, guard);
  for (const [name, form] of Object.entries(runs)) {
    patches.replace(child_process, name, (original) => guardedSync(original, form, guard, inheritance));
  }
  for (const [name, form] of Object.entries(starts)) {
    patches.replace(child_process, name, (original) => guardedStart(original, form, guard, inheritance));
  }
  guardProcessStart(patches, guard, inheritance);
  guardWorkers(patches, guard);
  guardLoaderThreads(patches, guard);
  guardProcess(patches, guard, inheritance);
};
