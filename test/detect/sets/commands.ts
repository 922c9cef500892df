import { linesSet } from "../corpus.ts";

/** Shell lines, half of them as developers and agents write them; test/detect/data/commands.jsonl. */
export const commandsSet = linesSet(
  "commands",
  { recall: 0.99, falsePositiveRate: 0.01 },
  { command: (command) => ({ action: "bash", args: { command } }) },
);
