import type { WireObject, WireValue } from "../../wire/value.ts";
import { argumentsNamed } from "./named-arguments.ts";

/** Calls of a guarded Node program that reach a file in another way than by `fs`; each has a `path`, and where it leads beside it. */
const nodeFileActions: readonly string[] = [
  "sqlite.DatabaseSync",
  "sqlite.backup",
  "sqlite.loadExtension",
  "wasi.WASI",
  "v8.writeHeapSnapshot",
  "v8.setHeapSnapshotNearHeapLimit",
  "trace_events.createTracing",
  "module.enableCompileCache",
  "process.loadEnvFile",
  "process.report.writeReport",
  "process.report.directory",
  "process.report.filename",
  "process.report.reportOnFatalError",
  "process.report.reportOnSignal",
  "process.report.reportOnUncaughtException",
];

/** The tools of the MCP filesystem server, those of coding agents, and the file calls that the client guards. */
export const fileActions: readonly string[] = Object.freeze([
  "read_file",
  "read_text_file",
  "read_media_file",
  "read_multiple_files",
  "write_file",
  "edit_file",
  "create_directory",
  "list_directory",
  "list_directory_with_sizes",
  "directory_tree",
  "move_file",
  "search_files",
  "get_file_info",
  "Read",
  "Write",
  "Edit",
  "MultiEdit",
  "NotebookEdit",
  "LS",
  "Glob",
  "Grep",
  "fs.*",
  ...nodeFileActions,
]);

const names: ReadonlySet<string> = new Set([
  "path",
  "paths",
  "file",
  "files",
  "filename",
  "filepath",
  "dir",
  "directory",
  "folder",
  "source",
  "src",
  "destination",
  "dest",
  "target",
  "prefix",
  "oldpath",
  "newpath",
  "existingpath",
  "absolutepath",
  "relativepath",
  "inputpath",
  "outputpath",
  "output",
  "outputfile",
  "notebookpath",
  "resolvedpath",
  "resolveddest",
  "resolvedtarget",
]);

export interface FileArgument {
  readonly place: string;
  /** Null where the argument is not a text that could name a file. */
  readonly path: string | null;
}

/** Every argument of a call that names a file. An open descriptor (a number) names none: it was judged when it was opened. Null as with `argumentsNamed`. */
export const filesIn = (args: WireObject): readonly FileArgument[] | null => {
  const named = argumentsNamed(names, args, "input");
  if (named === null) return null;
  const files = named
    .filter(({ value }) => typeof value !== "number" && value !== null)
    .map(({ place, value }) => ({ place, path: textOf(value) }));
  return files.reduce((sum, { path }) => sum + (path?.length ?? 0), 0) > maxPathCharacters ? null : files;
};

/**
 * Is a relative path of one of Node's own functions shown beside where it leads? The guard in the program's process knows the
 * directory that it is read from. Of another tool's arguments nothing is taken at its word.
 */
export const isResolvedBeside = (
  { action, args }: { readonly action: string; readonly args: WireObject },
  { place, path }: FileArgument,
): boolean =>
  (action.startsWith("fs.") || nodeFileActions.includes(action)) &&
  path !== null &&
  !path.startsWith("/") &&
  typeof args[`resolved_${place}`] === "string";

/** Of all paths of one call. Each step of each is looked up in the file system, and others wait meanwhile. */
const maxPathCharacters = 32_768;

const textOf = (value: WireValue): string | null => {
  if (typeof value === "string") return value;
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : null;
};
