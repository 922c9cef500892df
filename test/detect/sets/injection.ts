import { readFileSync } from "node:fs";
import { type Case, type DetectSet, dataText, linesSet } from "../corpus.ts";

interface SmokeLine {
  readonly id: string;
  readonly text: string;
  readonly expected_action: string;
  readonly attack_class: string;
  readonly benign_subclass: string;
  readonly bypass_class: string;
}

const fetched = (text: string) => ({
  action: "fetch",
  phase: "result" as const,
  args: { content: [{ type: "text", text }] },
});

const smokeCase = ({ id, text, expected_action, ...line }: SmokeLine): Case => ({
  id,
  events: [fetched(text)],
  expect: expected_action === "allow" ? "passes" : "held",
  kind: `${expected_action === "allow" ? line.benign_subclass : line.attack_class}, ${line.bypass_class}`,
  never: null,
});

/** Texts of the injection smoke corpus of microsoft/agent-governance-toolkit, each as what a tool fetched. */
export const injectionSet: DetectSet = {
  name: "injection",
  wanted: { recall: 0.9, falsePositiveRate: 0.03 },
  load: (file) =>
    (file === undefined ? dataText("injection/injection_smoke.jsonl") : readFileSync(file, "utf8"))
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => smokeCase(JSON.parse(line) as SmokeLine)),
};

/** Our own: daily texts of many kinds, and injections in words of their own. */
export const injectionOwnSet: DetectSet = linesSet(
  "injection_own",
  { recall: 0.9, falsePositiveRate: 0.03 },
  {
    text: fetched,
  },
);
