import { linesSet } from "../corpus.ts";

/**
 * Between the packs: commands of tools that are not called a shell, scripts that are written, addresses, files and injections in places
 * where nobody looks for them, and daily calls that look like these; test/detect/data/seams.jsonl.
 */
export const seamsSet = linesSet(
  "seams",
  { recall: 0.9, falsePositiveRate: 0 },
  { command: (command) => ({ action: "bash", args: { command } }) },
);
