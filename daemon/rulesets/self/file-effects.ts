import { constants } from "node:fs";
import type { WireObject, WireValue } from "../../../wire/value.ts";

/**
 * What a call does to an argument that names a file: `reads` its contents; `alters` it; changes whose it is and who may use it
 * (`owns`); `removes` it, so that a folder which holds it counts too; `merges` a tree into it; `copies` a tree of it.
 */
export type Effect = "reads" | "alters" | "owns" | "removes" | "merges" | "copies";

export interface FileEffect {
  readonly argument: string;
  readonly effect: Effect;
}

type EffectsOf = (args: WireObject) => readonly FileEffect[];

const always = (effects: Readonly<Record<string, Effect>>): EffectsOf => {
  const list = Object.freeze(Object.entries(effects).map(([argument, effect]) => Object.freeze({ argument, effect })));
  return () => list;
};

const alters = always({ path: "alters" });
const reads = always({ path: "reads" });

/** Reads, or writes as well where its flags say so. */
const byFlags =
  (flagsOf: (args: WireObject) => WireValue | undefined): EffectsOf =>
  (args) =>
    writes(flagsOf(args)) ? alters(args) : reads(args);

const option =
  (name: string) =>
  ({ options }: WireObject): WireValue | undefined =>
    typeof options === "object" && options !== null && !Array.isArray(options)
      ? (options as WireObject)[name]
      : undefined;

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = constants;
const writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

/** What is neither a number nor one of the words that only read is taken for writing. */
const writes = (flags: WireValue | undefined): boolean => {
  if (flags === undefined || flags === null || flags === O_RDONLY) return false;
  if (typeof flags === "number") return (flags & writing) !== 0;
  return flags !== "r" && flags !== "rs" && flags !== "sr";
};

const each = (names: readonly string[], of: EffectsOf): [string, EffectsOf][] =>
  names.map((name) => [`fs.${name}`, of]);

const altering = (action: string): [string, EffectsOf] => [action, alters];

/** The calls that matter, under the names that the guard gives them. Looking at names and attributes alters nothing. */
const effects: ReadonlyMap<string, EffectsOf> = new Map<string, EffectsOf>([
  ...each(
    ["writeFile", "appendFile", "truncate", "createWriteStream", "mkdir", "mkdtemp", "utimes", "lutimes"],
    alters,
  ),
  ...each(["chmod", "chown", "lchmod", "lchown"], always({ path: "owns" })),
  ...each(["unlink", "rm", "rmdir"], always({ path: "removes" })),
  ["fs.rename", always({ path: "removes", dest: "removes" })],
  ["fs.copyFile", always({ path: "reads", dest: "alters" })],
  ["fs.cp", always({ path: "copies", dest: "merges" })],
  // A second name for a file is a way to alter it that is not recognised any more.
  ["fs.link", always({ path: "alters", dest: "alters" })],
  ["fs.symlink", always({ target: "alters", path: "alters" })],
  ["fs.open", byFlags(({ flags }) => flags)],
  ["fs.readFile", byFlags(option("flag"))],
  ["fs.createReadStream", byFlags(option("flags"))],
  ["fs.openAsBlob", reads],
  ["process.loadEnvFile", reads],
  // A database is made, and a log beside it, where it is not opened for reading alone.
  ["sqlite.DatabaseSync", (args) => (option("readOnly")(args) === true ? reads(args) : alters(args))],
  ["sqlite.backup", alters],
  // The program may do with what is in the folder what it likes.
  ["wasi.WASI", always({ path: "removes" })],
  ...["v8.writeHeapSnapshot", "v8.setHeapSnapshotNearHeapLimit", "trace_events.createTracing"].map(altering),
  ...["writeReport", "directory", "filename", "reportOnFatalError", "reportOnSignal", "reportOnUncaughtException"]
    .map((name) => `process.report.${name}`)
    .map(altering),
  ["module.enableCompileCache", alters],
  // It makes the socket's file.
  ["net.listen", alters],
]);

export const fileActions: readonly string[] = Object.freeze([...effects.keys()]);

export const effectsOf = (action: string, args: WireObject): readonly FileEffect[] => effects.get(action)?.(args) ?? [];
