import { linesSet } from "../corpus.ts";

/** Addresses that agents are given, half of them daily work; test/detect/data/network.jsonl. */
export const networkSet = linesSet(
  "network",
  { recall: 0.99, falsePositiveRate: 0.01 },
  { url: (url) => ({ action: "fetch", args: { url } }), bash: (command) => ({ action: "bash", args: { command } }) },
);
