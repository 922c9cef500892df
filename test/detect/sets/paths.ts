import { linesSet } from "../corpus.ts";

/** Our own: every way to name a file, in arguments and in commands, and the daily work beside it. */
export const pathsSet = linesSet(
  "paths",
  { recall: 0.99, falsePositiveRate: 0.01 },
  {
    path: (path) => ({ action: "read_file", args: { path } }),
    write: (path) => ({ action: "write_file", args: { path, content: "x" } }),
    command: (command) => ({ action: "bash", args: { command } }),
  },
);
