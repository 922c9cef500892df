import type { Guard } from "../ask.ts";
import { faced } from "../exec/face.ts";
import type { Patches } from "../patch.ts";
import type { AnyFunction } from "../wrap.ts";
import { requireFile } from "./required-file.ts";

/**
 * Diagnostic reports: where one is written is asked for when it is written, when its folder or name is set, and when Node is told to
 * write one by itself, on a signal or an error. `path` is the file, or the folder where Node makes up the name.
 */
export const guardReports = (patches: Patches, guard: Guard): void => {
  const { report } = process;
  if (report === undefined) return;
  const directory = setting(report, "directory");
  const filename = setting(report, "filename");
  patches.replace(report, "writeReport", (original: AnyFunction) => {
    function guarded(this: unknown, ...args: unknown[]): unknown {
      const [name] = args;
      requireFile(guard, "process.report.writeReport", placeOf(directory(), name ?? filename()));
      return Reflect.apply(original, this, args);
    }
    return faced(guarded, original);
  });
  for (const key of ["directory", "filename"] as const) {
    patches.replaceSetter(report, key, (set) => (value) => {
      if (typeof value === "string" && value !== "") {
        const path = key === "directory" ? placeOf(value, filename()) : placeOf(directory(), value);
        requireFile(guard, `process.report.${key}`, path);
      }
      set(value);
    });
  }
  for (const key of ["reportOnFatalError", "reportOnSignal", "reportOnUncaughtException"] as const) {
    patches.replaceSetter(report, key, (set) => (value) => {
      if (value === true) requireFile(guard, `process.report.${key}`, placeOf(directory(), filename()));
      set(value);
    });
  }
};

/** Node's own getter: a program can put another in its place. */
const setting = (report: object, key: string): (() => string) => {
  const get = Reflect.getOwnPropertyDescriptor(report, key)?.get;
  return () => (get === undefined ? "" : String(Reflect.apply(get, report, [])));
};

/** Node puts the folder before whatever the name is. */
const placeOf = (directory: string, name: unknown): string => {
  const file = typeof name === "string" ? name : "";
  if (directory === "") return file === "" ? "." : file;
  return file === "" ? directory : `${directory}/${file}`;
};
