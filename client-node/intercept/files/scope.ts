import { guarded, of, outOfScope, type Row } from "../coverage/row.ts";

const ofJudgedDatabase = "works in a database that was judged when it was made, or in memory";

/** `sqlite`, `wasi`, and what else has Node read or write a file without `fs`. */
export const scope = (): readonly Row[] => [
  guarded("fs", "sqlite.DatabaseSync", ...of("sqlite", "DatabaseSync DatabaseSync.prototype.open")),
  guarded("fs", "sqlite.backup", "sqlite.backup"),
  guarded("fs", "sqlite.loadExtension", "sqlite.DatabaseSync.prototype.loadExtension"),
  // Where the statement may reach another file; else it is of the database that was judged.
  guarded("fs", "sqlite.attach", ...of("sqlite.DatabaseSync.prototype", "exec prepare createTagStore")),
  outOfScope(
    ofJudgedDatabase,
    ...of("sqlite", "StatementSync Session constants"),
    ...of(
      "sqlite.DatabaseSync.prototype",
      "close function aggregate location createSession applyChangeset enableLoadExtension enableDefensive serialize deserialize setAuthorizer",
    ),
    ...of("sqlite.Session.prototype", "changeset patchset close"),
    ...of(
      "sqlite.StatementSync.prototype",
      "iterate all get run columns close setAllowBareNamedParameters setAllowUnknownNamedParameters setReadBigInts setReturnArrays",
    ),
  ),
  guarded("fs", "wasi.WASI", "wasi.WASI"),
  outOfScope(
    "runs a WebAssembly program, which reaches the folders that were judged, and descriptors that are open",
    ...of("wasi.WASI.prototype", "start initialize getImportObject finalizeBindings"),
  ),
  ...["v8.writeHeapSnapshot", "v8.setHeapSnapshotNearHeapLimit", "trace_events.createTracing"].map((name) =>
    guarded("fs", name, name),
  ),
  ...["process.loadEnvFile", "module.enableCompileCache"].map((name) => guarded("fs", name, name)),
  ...of(
    "process.report",
    "writeReport directory filename reportOnFatalError reportOnSignal reportOnUncaughtException",
  ).map((name) => guarded("fs", name, name)),
  outOfScope(
    "settings of a report, or the text of one; where it is written is asked for",
    ...of("process.report", "getReport compact excludeNetwork excludeEnv signal"),
  ),
  outOfScope("names of what is traced", "trace_events.getEnabledCategories"),
  outOfScope(
    "writes to a folder that was judged, or that was named when Node was started",
    ...of("module", "flushCompileCache getCompileCacheDir"),
    ...of("v8", "takeCoverage stopCoverage"),
  ),
];
